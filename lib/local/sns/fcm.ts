import { isJsonObject, type JsonObject, parseJson, present } from '../json.ts';
import { invalid } from './failures.ts';
import { reserved } from './message-attributes.ts';
import type { Content, Publication } from './publication.ts';

/**
 * A request of SNS to FCM: a message of https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages,
 * made as https://docs.aws.amazon.com/sns/latest/dg/sns-fcm-v1-payloads.html says.
 */
export type FcmDelivery = { readonly service: 'fcm'; readonly message: JsonObject };

const MAX_BYTES = 4096;

/** @throws InvalidParameter */
export function fcmDelivery({ token, attributes }: Publication, { text, isText }: Content): FcmDelivery {
  const problem = (what: string) => invalid('Message', `Invalid notification for protocol GCM: ${what}`);
  const given = isText ? { data: { default: text } } : parseJson(text);
  if (!isJsonObject(given)) throw problem('Notification is malformed');
  const size = Buffer.byteLength(isText ? JSON.stringify(given) : text);
  if (size > MAX_BYTES) throw problem('Notification data is larger than allowed limit');

  const v1 = given.fcmV1Message;
  const message = v1 === undefined ? fromLegacy(given) : isJsonObject(v1) ? v1.message : undefined;
  if (!isJsonObject(message)) throw problem('Notification is malformed');
  // "Amazon SNS will modify the TTL in the message body to match the TTL specified in the message attribute", and
  // "it will only be updated in the android field". Older pages call the attribute GCM.TTL; both are reserved.
  const seconds = reserved(attributes, 'FCM.TTL') ?? reserved(attributes, 'GCM.TTL');
  const android = isJsonObject(message.android) ? message.android : {};
  const ttl = seconds !== undefined && { android: { ...android, ttl: `${seconds}s` } };
  // SNS sets the token: a message that names another target still goes to its endpoint.
  const { topic: _topic, condition: _condition, ...rest } = message;
  return { service: 'fcm', message: { ...rest, ...ttl, token } };
}

/**
 * "Amazon SNS transforms your payload into the new FCM v1 payload structure": each key goes to the platforms that know
 * it.
 */
function fromLegacy(given: JsonObject): JsonObject {
  const { data } = given;
  const notification = isJsonObject(given.notification) ? given.notification : undefined;
  const ttl = given.time_to_live;
  return present({
    notification: notification && pick(notification, { title: 'title', body: 'body', image: 'image' }),
    data,
    android: present({
      priority: given.priority ?? 'high',
      collapse_key: given.collapse_key,
      ttl: ttl === undefined ? undefined : `${ttl}s`,
      data,
      notification: notification && pick(notification, ANDROID),
    }),
    apns: notification && { payload: { aps: apsOf(notification) } },
    webpush: present({ notification: notification && pick(notification, WEBPUSH), data }),
  });
}

const LOCALISED = ['title_loc_key', 'title_loc_args', 'body_loc_key', 'body_loc_args'];
const same = (names: string[]) => Object.fromEntries(names.map((name) => [name, name]));
/** Legacy key → the key of v1. */
const ANDROID = {
  ...same(['title', 'body', 'icon', 'color', 'sound', 'tag', 'click_action', ...LOCALISED]),
  android_channel_id: 'channel_id',
};
const WEBPUSH = same(['title', 'body', 'icon', 'tag']);
const ALERT = {
  ...same(['title', 'subtitle', 'body']),
  title_loc_key: 'title-loc-key',
  title_loc_args: 'title-loc-args',
  body_loc_key: 'loc-key',
  body_loc_args: 'loc-args',
};

function apsOf(notification: JsonObject): JsonObject {
  return present({
    alert: pick(notification, ALERT),
    category: notification.click_action,
    sound: notification.sound,
    // "The badge key passed to apns expects an integer value": other values are not mapped.
    badge: Number.isInteger(notification.badge) ? notification.badge : undefined,
  });
}

function pick(from: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return present(Object.fromEntries(Object.entries(names).map(([old, name]) => [name, from[old]])));
}
