/** What the service sends to phones, before it takes a platform's form. */

type Platform = 'ios' | 'android';

/** The part of a device that a push depends on. */
export type Target = {
  readonly platform: Platform;
  /** Which of Apple's services the token belongs to; Android has only one. */
  readonly environment: 'production' | 'sandbox';
  readonly endpointArn: string;
  /** The app's language on that device. */
  readonly locale: string;
};

/** A device as its row has it. */
export type PushDevice = Omit<Target, 'endpointArn'> & {
  readonly deviceId: string;
  /** Null where no platform application was connected when the device registered. */
  readonly endpointArn: string | null;
  readonly status: 'active' | 'disabled' | 'unconnected';
  /** ISO 8601. */
  readonly renewedAt: string;
};

/** Silent: nothing is shown, the app sets its badge. */
type BadgeSync = { readonly type: 'badge_sync'; readonly badge: number };

/** Ordinary: says that there is a message, and never which; the app fetches it. */
export type AgentBoard = {
  readonly type: 'agent_board';
  readonly messageId: string;
  /** How many messages are unread, this one included. */
  readonly badge: number;
  /** A test push's own texts, in place of the generic ones. Never those of a message. */
  readonly title?: string | undefined;
  readonly body?: string | undefined;
};

export type Notification = BadgeSync | AgentBoard;

/**
 * `sent`: SNS took it; whether it arrives, a delivery-failure event tells. `disabled`: no push until the app registers a
 * fresh token. `rejected`: SNS never takes it, because of the endpoint, or of the request, which is a defect and no fault
 * of the device. `throttled` and `unavailable`: later it may do.
 */
export type Published =
  | { readonly outcome: 'sent'; readonly snsMessageId: string }
  | { readonly outcome: 'disabled' }
  | { readonly outcome: 'rejected'; readonly because: 'endpoint' | 'request' }
  | { readonly outcome: 'throttled' }
  /** `error` is the name of SNS's or the connection's error, for the log. */
  | { readonly outcome: 'unavailable'; readonly error: string };

type Texts = { readonly title: string; readonly body: string };

/** Generic, as a lock screen is read by others, too: no health, no names. */
const texts = {
  en: { title: 'New message', body: 'Open the app to read it.' },
  de: { title: 'Neue Nachricht', body: 'Öffnen Sie die App, um sie zu lesen.' },
} as const satisfies Record<string, Texts>;

/** @param locale a BCP 47 tag; its language decides: `de-AT` reads `de`, and what nobody has translated reads English */
export function textsFor(locale: string): Texts {
  const language = locale.split(/[-_]/)[0]?.toLowerCase() ?? '';
  return Object.hasOwn(texts, language) ? texts[language as keyof typeof texts] : texts.en;
}
