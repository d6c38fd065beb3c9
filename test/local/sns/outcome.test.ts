import { describe, expect, test } from 'vitest';
import { presentationOf } from '../../../lib/local/sns/presentation.ts';
import { refusalOf } from '../../../lib/local/sns/refusals.ts';
import { apns, decoded, fcm, json } from './decoded.ts';

describe('a refusal by the push service', () => {
  test.each([
    ['BadPriority', { 'APNS.PUSH_TYPE': 'background', 'APNS.PRIORITY': '10' }],
    ['BadPriority', { 'APNS.PRIORITY': '7' }],
    ['InvalidPushType', { 'APNS.PUSH_TYPE': 'silent' }],
    ['BadCollapseId', { 'APNS.COLLAPSE_ID': 'x'.repeat(65) }],
  ])('%s by APNs for %o', (reason, texts) => {
    expect(refusalOf(apns({ 'content-available': 1 }, texts))).toEqual({
      type: 'InvalidNotification',
      message: 'Notification body is invalid',
      reason: expect.stringMatching(`^${reason}: `),
    });
  });

  test('an empty payload at APNs', () => {
    expect(refusalOf(decoded(json('APNS', '{}')))?.reason).toMatch(/^PayloadEmpty/);
  });

  test.each([
    ['data.badge is no string', { data: { badge: 3 } }],
    ['android.data.badge is no string', { android: { data: { badge: 3 } } }],
    ['data is no object', { data: 'x' }],
    ['data.from is reserved', { data: { from: 'x' } }],
    ['data.google.a is reserved', { data: { 'google.a': 'x' } }],
    ['android.priority is urgent', { android: { priority: 'urgent' } }],
    ['android.ttl is 3600', { android: { ttl: 3600 } }],
    ['android.ttl is 2419201s', { android: { ttl: '2419201s' } }],
    [
      'android.notification.notification_count is no integer',
      { android: { notification: { notification_count: '3' } } },
    ],
  ])('FCM: %s', (reason, message) => {
    expect(refusalOf(fcm(message))?.reason).toBe(`INVALID_ARGUMENT: ${reason}`);
  });

  test('what is in order has none', () => {
    expect(
      refusalOf(apns({ 'content-available': 1 }, { 'APNS.PRIORITY': '5', 'APNS.COLLAPSE_ID': 'x'.repeat(64) })),
    ).toBeNull();
    expect(refusalOf(fcm({ data: { a: 'b' }, android: { priority: 'HIGH', ttl: '2419200.5s' } }))).toBeNull();
  });
});

const nothing = { kind: 'silent', banner: null, sound: null, badge: null, data: {} };

test.each([
  ['only content-available', { 'content-available': 1 }, {}],
  ['an alert text', { alert: 'Hi' }, { kind: 'visible', banner: { title: null, body: 'Hi' } }],
  ['an alert', { alert: { title: 'T', body: 'B' } }, { kind: 'visible', banner: { title: 'T', body: 'B' } }],
  ['keys of texts', { alert: { 'loc-key': 'K' } }, { kind: 'visible', banner: { title: null, body: 'K' } }],
  ['an empty alert', { alert: '' }, {}],
  ['a badge, also of 0', { badge: 0 }, { kind: 'visible', badge: 0 }],
  ['a critical sound', { sound: { name: 'alarm' } }, { kind: 'visible', sound: 'alarm' }],
])('an iPhone shows of %s', (_, aps, shown) => {
  expect(presentationOf(apns(aps))).toEqual({ ...nothing, ...shown });
});

test.each([
  ['only data', { data: { a: 'b' } }, { data: { a: 'b' } }],
  ['a notification', { notification: { title: 'T' } }, { kind: 'visible', banner: { title: 'T', body: null } }],
  [
    "Android's own",
    {
      notification: { title: 'T', body: 'B' },
      android: { notification: { body: 'A', sound: 's', notification_count: 2 } },
    },
    { kind: 'visible', banner: { title: 'T', body: 'A' }, sound: 's', badge: 2 },
  ],
])('an Android phone shows of %s', (_, message, shown) => {
  expect(presentationOf(fcm(message))).toEqual({ ...nothing, ...shown });
});

test('the data of an iPhone push are what is beside aps', () => {
  const of = (payload: object) => presentationOf(decoded(json('APNS', payload))).data;
  expect(of({ aps: {}, data: { type: 'x' } })).toEqual({ type: 'x' });
  expect(of({ aps: {}, data: { type: 'x' }, other: 1 })).toEqual({ data: { type: 'x' }, other: 1 });
});
