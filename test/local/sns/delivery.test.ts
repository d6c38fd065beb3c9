import { expect, test } from 'vitest';
import { decode } from '../../../lib/local/sns/delivery.ts';
import { silent, silentAttributes } from './client.ts';
import { apns, decoded, fcm, json, publishedAt, reservedOf } from './decoded.ts';

test('APNs gets the payload as it is, and each attribute as its header', () => {
  const given = { message: silent, structure: 'json', attributes: reservedOf(silentAttributes), publishedAt };
  expect(decode({ platform: 'APNS', token: 'aa', ...given })).toEqual({
    service: 'apns',
    environment: 'production',
    headers: {
      'apns-push-type': 'background',
      'apns-priority': '5',
      'apns-expiration': String(Date.parse('2026-03-01T13:00:00Z') / 1000),
      'apns-topic': 'com.example.sleepcare',
      'apns-collapse-id': 'badge_sync',
    },
    payload: { aps: { 'content-available': 1 }, data: { type: 'badge_sync', badge: '3' } },
  });
});

test("FCM gets the v1 message with the endpoint's token", () => {
  const given = { message: silent, structure: 'json', attributes: reservedOf(silentAttributes), publishedAt };
  expect(decode({ platform: 'GCM', token: 'fcm:1', ...given })).toEqual({
    service: 'fcm',
    message: {
      token: 'fcm:1',
      data: { type: 'badge_sync', badge: '3' },
      android: { priority: 'normal', collapse_key: 'badge_sync', ttl: '3600s' },
    },
  });
  expect(fcm({ topic: 'news', token: 'foreign', data: {} })).toEqual({
    service: 'fcm',
    message: { token: 't', data: {} },
  });
});

test('an attribute TTL of FCM wins over the one in the message, under both of its names', () => {
  for (const name of ['FCM.TTL', 'GCM.TTL']) {
    const delivery = fcm({ android: { ttl: '1s', priority: 'high' } }, { [name]: '60' });
    expect(delivery).toMatchObject({ message: { android: { ttl: '60s', priority: 'high' } } });
  }
});

test.each([
  ['APNS', { 'APNS.TTL': '0' }, '0'],
  ['APNS', { 'APNS.TTL': '1' }, String(Math.floor(publishedAt / 1000) + 1)],
  ['APNS', { 'APNS_SANDBOX.TTL': '1' }, String(Math.floor(publishedAt / 1000) + 28 * 86_400)],
  ['APNS_SANDBOX', { 'APNS_SANDBOX.TTL': '1' }, String(Math.floor(publishedAt / 1000) + 1)],
] as const)('%s with %o expires at %s', (platform, texts, expiration) => {
  expect(decoded({ platform, attributes: texts })).toMatchObject({ headers: { 'apns-expiration': expiration } });
});

test.each([
  [{ 'content-available': 1 }, 'background', '5'],
  [{ 'content-available': true, 'thread-id': 'x' }, 'background', '5'],
  [{ 'content-available': 1, badge: 2 }, 'alert', '10'],
  [{ 'content-available': '1' }, 'alert', '10'],
  [{ 'content-available': 0 }, 'alert', '10'],
  [{ alert: 'Hi' }, 'alert', '10'],
])('without attributes %o is sent as %s with priority %s', (aps, type, priority) => {
  expect(apns(aps)).toMatchObject({ headers: { 'apns-push-type': type, 'apns-priority': priority } });
});

test('a text becomes an alert at APNs and the data member default at FCM', () => {
  expect(decoded({})).toMatchObject({ payload: { aps: { alert: 'Hello' } } });
  expect(decoded({ platform: 'GCM' })).toMatchObject({ message: { data: { default: 'Hello' } } });
  const message = JSON.stringify({ default: 'Hi', GCM: '{}', APNS: { aps: {} } });
  expect(decoded({ structure: 'json', message })).toMatchObject({ payload: { aps: { alert: 'Hi' } } });
});

test("the topic is the application's bundle id where no attribute says another", () => {
  expect(decoded({ bundleId: 'com.a' })).toMatchObject({ headers: { 'apns-topic': 'com.a' } });
  const other = decoded({ bundleId: 'com.a', attributes: { 'APNS.TOPIC': 'com.b' } });
  expect(other).toMatchObject({ headers: { 'apns-topic': 'com.b' } });
});

test('a legacy GCM payload is spread over the platforms of a v1 message', () => {
  const notification = { title: 'T', body: 'B', android_channel_id: 'c', body_loc_key: 'k', badge: 5, sound: 's' };
  const legacy = { notification, data: { a: 'b' }, time_to_live: 60, collapse_key: 'x' };
  expect(decoded({ platform: 'GCM', token: 't', ...json('GCM', legacy) })).toEqual({
    service: 'fcm',
    message: {
      token: 't',
      notification: { title: 'T', body: 'B' },
      data: { a: 'b' },
      android: {
        priority: 'high',
        collapse_key: 'x',
        ttl: '60s',
        data: { a: 'b' },
        notification: { title: 'T', body: 'B', sound: 's', body_loc_key: 'k', channel_id: 'c' },
      },
      apns: { payload: { aps: { alert: { title: 'T', body: 'B', 'loc-key': 'k' }, sound: 's', badge: 5 } } },
      webpush: { notification: { title: 'T', body: 'B' }, data: { a: 'b' } },
    },
  });
});

const over = (size: number) => ({ aps: { alert: 'ä'.repeat(size / 2) } });

test.each([
  ['no JSON', { structure: 'json', message: '{' }, 'Message Structure - JSON message body failed to parse'],
  ['no object', { structure: 'json', message: '[]' }, 'Message Structure - JSON message body failed to parse'],
  ['no entry', json('APNS_SANDBOX', {}), "JSON must contain an entry for 'default' or 'APNS'."],
  [
    'an object as value',
    { structure: 'json', message: '{"APNS":{}}' },
    "JSON must contain an entry for 'default' or 'APNS'.",
  ],
  ['another structure', { structure: 'xml' }, 'MessageStructure Reason: must be json'],
  [
    'no JSON for APNs',
    json('APNS', 'Hi'),
    'Message Reason: Invalid notification for protocol APNS: Notification is malformed',
  ],
  [
    'too much for APNs',
    json('APNS', over(4096)),
    'Message Reason: Invalid notification for protocol APNS: Notification is too long',
  ],
  [
    'a text too long',
    { message: 'x'.repeat(4090) },
    'Message Reason: Invalid notification for protocol APNS: Notification is too long',
  ],
])('%s is refused by Publish', (_, given, sentence) => {
  expect(() => decoded(given)).toThrow(`Invalid parameter: ${sentence}`);
});

test.each([
  ['no JSON', 'Hi', 'Notification is malformed'],
  ['no message in fcmV1Message', { fcmV1Message: {} }, 'Notification is malformed'],
  [
    'too much',
    { fcmV1Message: { message: { data: { x: 'x'.repeat(4096) } } } },
    'Notification data is larger than allowed limit',
  ],
])('%s for FCM is refused by Publish', (_, value, problem) => {
  const sentence = `Invalid parameter: Message Reason: Invalid notification for protocol GCM: ${problem}`;
  expect(() => decoded({ platform: 'GCM', ...json('GCM', value) })).toThrow(sentence);
});

test('4096 bytes are not too many', () => {
  const fits = { aps: { alert: 'x'.repeat(4096 - '{"aps":{"alert":""}}'.length) } };
  expect(decoded(json('APNS', fits))).toMatchObject({ payload: fits });
});
