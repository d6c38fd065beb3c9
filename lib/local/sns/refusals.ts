import { isJsonObject } from '../json.ts';
import type { ApnsDelivery } from './apns.ts';
import type { Delivery } from './delivery.ts';
import type { FcmDelivery } from './fcm.ts';

/**
 * Refusals by a push service after a successful Publish. They show only in a DeliveryFailure event. FailureType and
 * FailureMessage are those of https://docs.aws.amazon.com/sns/latest/dg/sns-fcm-v1-payloads.html; we assume that APNs'
 * refusals have the same ones.
 */
export type Refusal = {
  readonly type: 'InvalidNotification' | 'InvalidPlatformToken';
  readonly message: string;
  /** The push service's own code and the reason. SNS shows it only in the delivery status log. */
  readonly reason: string;
};

export function refusalOf(delivery: Delivery): Refusal | null {
  const reason = delivery.service === 'apns' ? refusedByApns(delivery) : refusedByFcm(delivery);
  return reason === null ? null : { type: 'InvalidNotification', message: 'Notification body is invalid', reason };
}

export function unknownToken({ service }: Delivery): Refusal {
  const reason = service === 'apns' ? 'Unregistered' : 'UNREGISTERED';
  return { type: 'InvalidPlatformToken', message: 'Platform token associated with the endpoint is not valid', reason };
}

const PUSH_TYPES =
  'alert background complication controls fileprovider liveactivity location mdm pushtotalk voip widgets'.split(' ');

/** https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns */
function refusedByApns({ headers, payload }: ApnsDelivery): string | null {
  const { 'apns-push-type': type = '', 'apns-priority': priority = '', 'apns-collapse-id': collapseId = '' } = headers;
  if (!PUSH_TYPES.includes(type)) return `InvalidPushType: apns-push-type is ${type}`;
  if (!['1', '5', '10'].includes(priority)) return `BadPriority: apns-priority is ${priority}, not 10, 5 or 1`;
  // "For background notifications, using priority 10 is an error."
  if (type === 'background' && priority === '10') return 'BadPriority: a background push with apns-priority 10';
  if (Buffer.byteLength(collapseId) > 64) return 'BadCollapseId: apns-collapse-id is longer than 64 bytes';
  if (Object.keys(payload).length === 0) return 'PayloadEmpty: the payload is empty';
  return null;
}

const MAX_TTL = 28 * 24 * 60 * 60;

/** https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages */
function refusedByFcm({ message }: FcmDelivery): string | null {
  const android = isJsonObject(message.android) ? message.android : {};
  for (const [where, data] of [['data', message.data] as const, ['android.data', android.data] as const]) {
    if (data === undefined) continue;
    if (!isJsonObject(data)) return `INVALID_ARGUMENT: ${where} is no object`;
    for (const [key, value] of Object.entries(data)) {
      if (typeof value !== 'string') return `INVALID_ARGUMENT: ${where}.${key} is no string`;
      if (/^(from|message_type|google\..*|gcm\..*)$/.test(key)) return `INVALID_ARGUMENT: ${where}.${key} is reserved`;
    }
  }
  const { priority, ttl } = android;
  if (priority !== undefined && !/^(normal|high)$/i.test(String(priority))) {
    return `INVALID_ARGUMENT: android.priority is ${priority}`;
  }
  const seconds = typeof ttl === 'string' ? /^(\d+)(?:\.\d{1,9})?s$/.exec(ttl)?.[1] : undefined;
  if (ttl !== undefined && !(Number(seconds) <= MAX_TTL)) return `INVALID_ARGUMENT: android.ttl is ${ttl}`;
  const count = isJsonObject(android.notification) ? android.notification.notification_count : undefined;
  if (count !== undefined && !Number.isInteger(count)) {
    return 'INVALID_ARGUMENT: android.notification.notification_count is no integer';
  }
  return null;
}
