import { isJsonObject, type JsonObject } from '../json.ts';
import type { Delivery } from './delivery.ts';

/**
 * What a phone shows of a push while the app is in the background. A silent push shows nothing: only the app gets it.
 * For an FCM message that is an Android phone: notification_count is its badge.
 */
export type Presentation = {
  readonly kind: 'visible' | 'silent';
  /** Title and body as they are, or the keys that the app has texts for. */
  readonly banner: { readonly title: string | null; readonly body: string | null } | null;
  readonly sound: string | null;
  readonly badge: number | null;
  /** The data for the app. For APNs: everything besides `aps`, or the members of `data` if `data` is the only one. */
  readonly data: JsonObject;
};

export function presentationOf(delivery: Delivery): Presentation {
  const shown = delivery.service === 'apns' ? onIphone(delivery.payload) : onAndroid(delivery.message);
  const isSilent = shown.banner === null && shown.sound === null && shown.badge === null;
  return { kind: isSilent ? 'silent' : 'visible', ...shown };
}

type Shown = Omit<Presentation, 'kind'>;

function onIphone({ aps: given, ...custom }: JsonObject): Shown {
  const aps = isJsonObject(given) ? given : {};
  const { alert } = aps;
  const sound = isJsonObject(aps.sound) ? aps.sound.name : aps.sound;
  const texts = isJsonObject(alert) ? alert : { body: alert };
  const banner = { title: text(texts.title, texts['title-loc-key']), body: text(texts.body, texts['loc-key']) };
  return {
    banner: banner.title === null && banner.body === null ? null : banner,
    sound: text(sound),
    badge: typeof aps.badge === 'number' ? aps.badge : null,
    data: isJsonObject(custom.data) && Object.keys(custom).length === 1 ? custom.data : custom,
  };
}

/** A message without `notification` is never shown by the system, for any data. */
function onAndroid({ notification: common, android: given, data }: JsonObject): Shown {
  const android = isJsonObject(given) ? given : {};
  const own = isJsonObject(android.notification) ? android.notification : undefined;
  const merged = { ...(isJsonObject(common) ? common : {}), ...own };
  const isShown = isJsonObject(common) || own !== undefined;
  const banner = { title: text(merged.title, merged.title_loc_key), body: text(merged.body, merged.body_loc_key) };
  return {
    banner: isShown ? banner : null,
    sound: text(own?.sound),
    badge: typeof own?.notification_count === 'number' ? own.notification_count : null,
    data: { ...(isJsonObject(data) ? data : {}), ...(isJsonObject(android.data) ? android.data : {}) },
  };
}

function text(...candidates: unknown[]): string | null {
  const found = candidates.find((each) => typeof each === 'string' && each !== '');
  return typeof found === 'string' ? found : null;
}
