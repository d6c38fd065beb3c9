import { isJsonObject, parseJson } from '../json.ts';
import { type ApnsDelivery, apnsDelivery } from './apns.ts';
import { invalid } from './failures.ts';
import { type FcmDelivery, fcmDelivery } from './fcm.ts';
import type { Content, Publication } from './publication.ts';

/** Turns a Publish into a request for the endpoint's push service. Pure. */

export type Delivery = ApnsDelivery | FcmDelivery;

/** @throws AwsFailure if Publish refuses it immediately */
export function decode(publication: Publication): Delivery {
  const content = contentFor(publication);
  return publication.platform === 'GCM' ? fcmDelivery(publication, content) : apnsDelivery(publication, content);
}

/**
 * Values that are no strings count as absent. An endpoint of APNS_SANDBOX does not use an entry "APNS".
 * https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html
 */
function contentFor({ platform, message, structure }: Publication): Content {
  if (structure === undefined) return { text: message, isText: true };
  if (structure !== 'json') throw invalid('MessageStructure', 'must be json');
  const entries = parseJson(message);
  if (!isJsonObject(entries)) throw invalid('Message Structure - JSON message body failed to parse');
  const own = entries[platform];
  if (typeof own === 'string') return { text: own, isText: false };
  if (typeof entries.default === 'string') return { text: entries.default, isText: true };
  throw invalid(`JSON must contain an entry for 'default' or '${platform}'.`);
}
