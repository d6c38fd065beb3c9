import { type AgentBoard, type Notification, type Target, textsFor } from './notification.ts';

/**
 * The exact input of SNS's `Publish` for one device (decision 16). Each is for one endpoint, so that `Message` has
 * only the entry of its platform, and no `default`, which would be shown if that entry is missing.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html
 */

export type PublishInput = {
  readonly TargetArn: string;
  readonly MessageStructure: 'json';
  /** JSON of `{ [platform]: JSON of the payload }`. */
  readonly Message: string;
  readonly MessageAttributes?: Readonly<Record<string, MessageAttribute>>;
};
type MessageAttribute = { readonly DataType: 'String'; readonly StringValue: string };

/** How long a phone that is off may be late: an hour for a badge, which the next one replaces, a day for a message. */
const ttlSeconds = { badge_sync: 3600, agent_board: 86_400 } as const;

/** The Android app makes a notification channel of this id, for which its user sets sound and importance. */
const channelId = 'agent_board';

/** @param bundleId the iOS app's, which is APNs' topic */
export function publishInput(target: Target, notification: Notification, bundleId: string): PublishInput {
  const message = (platform: 'APNS' | 'APNS_SANDBOX' | 'GCM', payload: unknown) => ({
    TargetArn: target.endpointArn,
    MessageStructure: 'json' as const,
    Message: JSON.stringify({ [platform]: JSON.stringify(payload) }),
  });
  // What SNS reads of an FCM push stands in its payload, the time to live, too: the attributes are APNs' headers.
  if (target.platform === 'android')
    return message('GCM', { fcmV1Message: { message: fcmMessage(target, notification) } });
  return {
    ...message(target.environment === 'sandbox' ? 'APNS_SANDBOX' : 'APNS', apnsPayload(target, notification)),
    MessageAttributes: apnsAttributes(notification, bundleId),
  };
}

/** https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification */
function apnsPayload(target: Target, notification: Notification) {
  if (notification.type === 'badge_sync') {
    // An alert, sound or badge in `aps` would make it a push that is shown, and APNs refuse it as a background one.
    return { aps: { 'content-available': 1 }, data: silentData(notification.badge) };
  }
  const { messageId, badge } = notification;
  return {
    aps: { alert: shownTexts(target, notification), badge, sound: 'default', 'thread-id': 'agent_board' },
    data: { type: 'agent_board', messageId },
  };
}

/**
 * Names: https://docs.aws.amazon.com/sns/latest/dg/sns-message-attributes.html. A background push has priority 5: with 10
 * APNs refuses it. The collapse id replaces what it finds on the screen: a push that was sent twice is shown once.
 */
function apnsAttributes(notification: Notification, bundleId: string): Record<string, MessageAttribute> {
  const isSilent = notification.type === 'badge_sync';
  const ttl = String(ttlSeconds[notification.type]);
  const values = {
    'APNS.PUSH_TYPE': isSilent ? 'background' : 'alert',
    'APNS.PRIORITY': isSilent ? '5' : '10',
    'APNS.TOPIC': bundleId,
    'APNS.COLLAPSE_ID': isSilent ? 'badge_sync' : notification.messageId,
    'APNS.TTL': ttl,
    'APNS_SANDBOX.TTL': ttl,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, StringValue]) => [
      `AWS.SNS.MOBILE.${name}`,
      { DataType: 'String', StringValue },
    ]),
  );
}

/** https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages; SNS adds the token. */
function fcmMessage(target: Target, notification: Notification) {
  const ttl = `${ttlSeconds[notification.type]}s`;
  if (notification.type === 'badge_sync') {
    return {
      data: silentData(notification.badge),
      android: { priority: 'normal', collapse_key: 'badge_sync', ttl },
    };
  }
  const { messageId, badge } = notification;
  return {
    notification: shownTexts(target, notification),
    data: { type: 'agent_board', messageId },
    android: {
      priority: 'high',
      ttl,
      // The tag is to Android what the collapse id is to iOS.
      notification: { tag: messageId, channel_id: channelId, notification_count: badge },
    },
  };
}

/** Both apps read text: FCM's data are only strings. */
function silentData(badge: number) {
  return { type: 'badge_sync', badge: String(badge) };
}

/** Half of a surrogate pair is no UTF-8, and would fail the whole push. */
function shownTexts({ locale }: Target, { title, body }: AgentBoard) {
  const generic = textsFor(locale);
  return { title: (title ?? generic.title).toWellFormed(), body: (body ?? generic.body).toWellFormed() };
}
