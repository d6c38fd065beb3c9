import { describe, expect, test } from 'vitest';
import { type Notification, type Target, textsFor } from '../../functions/push/rules/notification.ts';
import { publishInput } from '../../functions/push/rules/payload.ts';

/** The payloads, byte by byte as decision 16 has them. */

const bundleId = 'com.example.sleepcare';
const arn = (platform: string) => `arn:aws:sns:eu-central-1:123456789012:endpoint/${platform}/sleepcare/7d1c`;
const device = (platform: 'APNS' | 'APNS_SANDBOX' | 'GCM', locale = 'en'): Target => ({
  platform: platform === 'GCM' ? 'android' : 'ios',
  environment: platform === 'APNS_SANDBOX' ? 'sandbox' : 'production',
  endpointArn: arn(platform),
  locale,
});
const silent: Notification = { type: 'badge_sync', badge: 3 };
const ordinary: Notification = { type: 'agent_board', messageId: '01K0000000000000000000000', badge: 4 };

function attributesOf(target: Target, notification: Notification) {
  const { MessageAttributes = {} } = publishInput(target, notification, bundleId);
  expect(Object.values(MessageAttributes).every(({ DataType }) => DataType === 'String')).toBe(true);
  return Object.fromEntries(Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]));
}

/** The one entry of `Message`, as text. */
function payloadOf(target: Target, notification: Notification): [platform: string, payload: string] {
  const input = publishInput(target, notification, bundleId);
  expect(input).toMatchObject({ TargetArn: target.endpointArn, MessageStructure: 'json' });
  const entries = Object.entries(JSON.parse(input.Message));
  expect(entries).toHaveLength(1);
  return entries[0] as [string, string];
}

describe('a silent push', () => {
  const aps = '{"aps":{"content-available":1},"data":{"type":"badge_sync","badge":"3"}}';
  const fcm =
    '{"fcmV1Message":{"message":{"data":{"type":"badge_sync","badge":"3"},' +
    '"android":{"priority":"normal","collapse_key":"badge_sync","ttl":"3600s"}}}}';

  test.each([
    ['APNS', aps],
    ['APNS_SANDBOX', aps],
    ['GCM', fcm],
  ] as const)('%s: the whole payload', (platform, payload) => {
    expect(payloadOf(device(platform), silent)).toEqual([platform, payload]);
  });

  test.each(['APNS', 'APNS_SANDBOX'] as const)('%s: a background push of priority 5, for an hour', (platform) => {
    expect(attributesOf(device(platform), silent)).toEqual({
      'AWS.SNS.MOBILE.APNS.PUSH_TYPE': 'background',
      'AWS.SNS.MOBILE.APNS.PRIORITY': '5',
      'AWS.SNS.MOBILE.APNS.TOPIC': bundleId,
      'AWS.SNS.MOBILE.APNS.COLLAPSE_ID': 'badge_sync',
      'AWS.SNS.MOBILE.APNS.TTL': '3600',
      'AWS.SNS.MOBILE.APNS_SANDBOX.TTL': '3600',
    });
  });

  test('a badge of 0 is sent, too: it takes the badge away', () => {
    expect(JSON.parse(payloadOf(device('APNS'), { type: 'badge_sync', badge: 0 })[1]).data.badge).toBe('0');
  });
});

describe('an ordinary push', () => {
  const alert = { title: 'New message', body: 'Open the app to read it.' };
  const data = { type: 'agent_board', messageId: ordinary.messageId };

  test.each(['APNS', 'APNS_SANDBOX'] as const)('%s: alert, badge, sound and thread', (platform) => {
    const [entry, payload] = payloadOf(device(platform), ordinary);
    expect(entry).toBe(platform);
    expect(JSON.parse(payload)).toStrictEqual({
      aps: { alert, badge: 4, sound: 'default', 'thread-id': 'agent_board' },
      data,
    });
  });

  test('GCM: notification, data, and what Android makes of them', () => {
    const [entry, payload] = payloadOf(device('GCM'), ordinary);
    expect(entry).toBe('GCM');
    expect(JSON.parse(payload)).toStrictEqual({
      fcmV1Message: {
        message: {
          notification: alert,
          data,
          android: {
            priority: 'high',
            ttl: '86400s',
            notification: { tag: ordinary.messageId, channel_id: 'agent_board', notification_count: 4 },
          },
        },
      },
    });
  });

  test.each(['APNS', 'APNS_SANDBOX'] as const)('%s: an alert of priority 10, for a day', (platform) => {
    expect(attributesOf(device(platform), ordinary)).toEqual({
      'AWS.SNS.MOBILE.APNS.PUSH_TYPE': 'alert',
      'AWS.SNS.MOBILE.APNS.PRIORITY': '10',
      'AWS.SNS.MOBILE.APNS.TOPIC': bundleId,
      'AWS.SNS.MOBILE.APNS.COLLAPSE_ID': ordinary.messageId,
      'AWS.SNS.MOBILE.APNS.TTL': '86400',
      'AWS.SNS.MOBILE.APNS_SANDBOX.TTL': '86400',
    });
  });

  test('the same message again replaces itself on the screen: collapse id and tag are its id', () => {
    const [, payload] = payloadOf(device('GCM'), ordinary);
    expect(JSON.parse(payload).fcmV1Message.message.android.notification.tag).toBe(ordinary.messageId);
    expect(attributesOf(device('APNS'), ordinary)['AWS.SNS.MOBILE.APNS.COLLAPSE_ID']).toBe(ordinary.messageId);
  });

  test('what is not translated is English', () => {
    const titles = ['de', 'de-AT', 'de_CH', 'DE', 'en-GB', 'ja', 'constructor', ''].map(
      (locale) => textsFor(locale).title,
    );
    expect(titles).toEqual([...Array(4).fill('Neue Nachricht'), ...Array(4).fill('New message')]);
    expect(JSON.parse(payloadOf(device('APNS', 'de-DE'), ordinary)[1]).aps.alert.title).toBe('Neue Nachricht');
  });

  test("a test push's own title stands beside the generic body", () => {
    const [, payload] = payloadOf(device('GCM'), { ...ordinary, title: 'Hello' });
    expect(JSON.parse(payload).fcmV1Message.message.notification).toEqual({ ...alert, title: 'Hello' });
  });
});
