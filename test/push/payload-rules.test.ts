import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sendTestPush } from '../../functions/push/routes.ts';
import type { Notification, Target } from '../../functions/push/rules/notification.ts';
import { publishInput } from '../../functions/push/rules/payload.ts';

/**
 * Whatever is sent keeps the rules of those who deliver it:
 * https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 * https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification
 * https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
 * https://docs.aws.amazon.com/sns/latest/dg/sns-message-attributes.html
 */

/** Nothing visible: any of alert, sound and badge would make it a push that APNs refuses as a background one. */
const BackgroundPayload = z.strictObject({
  aps: z.strictObject({ 'content-available': z.literal(1) }),
  data: z.record(z.string(), z.string()),
});
const AlertPayload = z.strictObject({
  aps: z.strictObject({
    alert: z.strictObject({ title: z.string().min(1), body: z.string().min(1) }),
    badge: z.int().min(0),
    sound: z.string(),
    'thread-id': z.string(),
  }),
  data: z.record(z.string(), z.string()),
});
const reservedKey = /^(from|message_type|collapse_key|(google|gcm).*)$/;
const FcmData = z.record(
  z.string().refine((key) => !reservedKey.test(key)),
  z.string(),
);
const Ttl = z.string().regex(/^\d+s$/);
const FcmPayload = z.strictObject({
  fcmV1Message: z.strictObject({
    message: z.union([
      z.strictObject({
        data: FcmData,
        android: z.strictObject({ priority: z.literal('normal'), collapse_key: z.string(), ttl: Ttl }),
      }),
      z.strictObject({
        notification: z.strictObject({ title: z.string().min(1), body: z.string().min(1) }),
        data: FcmData,
        android: z.strictObject({
          priority: z.literal('high'),
          ttl: Ttl,
          notification: z.strictObject({ tag: z.string(), channel_id: z.string(), notification_count: z.int() }),
        }),
      }),
    ]),
  }),
});

/** What the test push takes at most, in UTF-16 units. */
const textLimits = { title: 100, body: 400 };
const maxBytes = 4096;
const maxTtl = 28 * 24 * 60 * 60;

const badge = fc.nat(99_999);
const messageId = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
// Every UTF-16 unit, halves of pairs and control characters among them.
const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit, minLength: 1, maxLength, size: 'max' }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 25, size: 'max' }),
    fc.constantFrom('\u0000', '\ud800', '"', '\\', '😀', 'ẅ').map((each) => each.repeat(maxLength).slice(0, maxLength)),
  );
const notification: fc.Arbitrary<Notification> = fc.oneof(
  fc.record({ type: fc.constant('badge_sync' as const), badge }),
  fc.record(
    {
      type: fc.constant('agent_board' as const),
      messageId,
      badge,
      title: text(textLimits.title),
      body: text(textLimits.body),
    },
    { requiredKeys: ['type', 'messageId', 'badge'] },
  ),
);
const target: fc.Arbitrary<Target> = fc.record({
  platform: fc.constantFrom('ios', 'android'),
  environment: fc.constantFrom('production', 'sandbox'),
  endpointArn: fc.constant('arn:aws:sns:eu-central-1:123456789012:endpoint/X/sleepcare/7d1c'),
  locale: fc.constantFrom('en', 'de-AT', 'pt_BR', '__proto__', ''),
});

function sent(device: Target, push: Notification) {
  const { Message, MessageAttributes = {} } = publishInput(device, push, 'com.example.sleepcare');
  const [[platform, payload] = ['', '']] = Object.entries(JSON.parse(Message) as Record<string, string>);
  return { platform, payload, attributes: MessageAttributes, Message };
}

describe('every push', () => {
  test('has a payload below 4 KB that its platform takes', () => {
    fc.assert(
      fc.property(target, notification, (device, push) => {
        const { platform, payload } = sent(device, push);
        expect(Buffer.byteLength(payload)).toBeLessThan(maxBytes);
        const isSilent = push.type === 'badge_sync';
        const schema = platform === 'GCM' ? FcmPayload : isSilent ? BackgroundPayload : AlertPayload;
        expect(schema.safeParse(JSON.parse(payload)).error).toBeUndefined();
      }),
    );
  });

  test('is well-formed Unicode, and its texts arrive as they were given', () => {
    fc.assert(
      fc.property(target, notification, (device, push) => {
        const { payload, Message } = sent(device, push);
        const found: string[] = [];
        JSON.parse(payload, (_key, value) => {
          if (typeof value === 'string') found.push(value);
          return value;
        });
        expect([Message, ...found].every((each) => each.isWellFormed())).toBe(true);
        if (push.type === 'agent_board' && push.title?.isWellFormed()) expect(found).toContain(push.title);
      }),
    );
  });

  test('pairs push type with priority, and stays within the limits of its headers', () => {
    fc.assert(
      fc.property(target, notification, (device, push) => {
        const { platform, attributes } = sent(device, push);
        const value = (name: string) => attributes[`AWS.SNS.MOBILE.${name}`]?.StringValue ?? '';
        if (platform === 'GCM') {
          expect(attributes).toEqual({});
          return;
        }
        const pair = [value('APNS.PUSH_TYPE'), value('APNS.PRIORITY')];
        expect(pair).toEqual(push.type === 'badge_sync' ? ['background', '5'] : ['alert', '10']);
        expect(value('APNS.TOPIC')).not.toBe('');
        expect(Buffer.byteLength(value('APNS.COLLAPSE_ID'))).toBeLessThanOrEqual(64);
        const ttl = Number(value(`${platform}.TTL`));
        expect(Number.isInteger(ttl) && ttl > 0 && ttl <= maxTtl).toBe(true);
        // SNS takes ten attributes, of these characters, and none without a value.
        expect(Object.keys(attributes).length).toBeLessThanOrEqual(10);
        for (const [name, { StringValue }] of Object.entries(attributes)) {
          expect(name).toMatch(/^AWS\.SNS\.MOBILE\.[A-Z_]+\.[A-Z_]+$/);
          expect(StringValue).not.toBe('');
        }
      }),
    );
  });
});

test('the longest texts that the test push takes are within these limits', () => {
  const body = { title: 'x'.repeat(textLimits.title), body: 'x'.repeat(textLimits.body) };
  expect(sendTestPush.body.safeParse(body).success).toBe(true);
  for (const longer of [{ title: `${body.title}x` }, { body: `${body.body}x` }]) {
    expect(sendTestPush.body.safeParse({ ...body, ...longer }).success).toBe(false);
  }
});
