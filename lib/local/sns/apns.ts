import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { invalid } from './failures.ts';
import { reserved } from './message-attributes.ts';
import type { Content, Publication } from './publication.ts';

/**
 * A request of SNS to APNs. The headers:
 * https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 */
export type ApnsDelivery = {
  readonly service: 'apns';
  readonly environment: 'production' | 'sandbox';
  /** `apns-push-type`, `apns-priority`, `apns-expiration`, and `apns-topic` and `apns-collapse-id` if there are any. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: JsonObject;
};

const MAX_BYTES = 4096;
/** "Amazon SNS default TTL (4 weeks)": https://docs.aws.amazon.com/sns/latest/dg/sns-ttl.html */
const DEFAULT_TTL = 28 * 24 * 60 * 60;

/** @throws InvalidParameter */
export function apnsDelivery(publication: Publication, { text, isText }: Content): ApnsDelivery {
  const { platform, attributes, publishedAt, bundleId } = publication;
  const problem = (what: string) => invalid('Message', `Invalid notification for protocol ${platform}: ${what}`);
  const payload = isText ? { aps: { alert: text } } : parseJson(text);
  if (!isJsonObject(payload)) throw problem('Notification is malformed');
  const size = Buffer.byteLength(isText ? JSON.stringify(payload) : text);
  if (size > MAX_BYTES) throw problem('Notification is too long');

  // Each platform has its own TTL; the other attributes are the same for the sandbox.
  const ttl = Number(reserved(attributes, `${platform}.TTL`) ?? DEFAULT_TTL);
  const pushType = reserved(attributes, 'APNS.PUSH_TYPE') ?? inferredPushType(payload);
  const topic = reserved(attributes, 'APNS.TOPIC') ?? bundleId;
  const collapseId = reserved(attributes, 'APNS.COLLAPSE_ID');
  return {
    service: 'apns',
    environment: platform === 'APNS_SANDBOX' ? 'sandbox' : 'production',
    headers: {
      'apns-push-type': pushType,
      // SNS infers the type of a background push and documents it as delivered; APNs accepts such pushes only with priority 5.
      'apns-priority': reserved(attributes, 'APNS.PRIORITY') ?? (pushType === 'background' ? '5' : '10'),
      'apns-expiration': ttl === 0 ? '0' : String(Math.floor(publishedAt / 1000) + ttl),
      ...(topic !== undefined && { 'apns-topic': topic }),
      ...(collapseId !== undefined && { 'apns-collapse-id': collapseId }),
    },
    payload,
  };
}

/**
 * "If the aps dictionary only contains content-available set to 1 and no other keys that trigger user interactions":
 * https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html
 */
function inferredPushType({ aps }: JsonObject): 'alert' | 'background' {
  if (!isJsonObject(aps)) return 'alert';
  const isContentAvailable = aps['content-available'] === 1 || aps['content-available'] === true;
  const interacts = ['alert', 'badge', 'sound'].some((key) => key in aps);
  return isContentAvailable && !interacts ? 'background' : 'alert';
}
