import type { Push } from '../sns/pushes.ts';
import type { Sns } from '../sns/sns.ts';

/** The part of SNS that the page uses. */
export type PushSource = Pick<Sns, 'pushes' | 'endpoints' | 'onPush'>;

/** A push as it looks on a phone, without the device's token. */
export type ShownPush = {
  readonly time: string;
  readonly messageId: string;
  readonly endpoint: string;
  readonly kind: 'visible' | 'silent';
  readonly banner: { readonly title: string | null; readonly body: string | null } | null;
  readonly badge: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** A later push with the same id replaces this one on the screen. */
  readonly collapseId: string | null;
  /** Why it never arrived. */
  readonly failure: string | null;
};

export type Device = {
  readonly endpoint: string;
  readonly platform: string;
  /** The platform application's name. */
  readonly application: string;
  readonly enabled: boolean;
  readonly customUserData: string | null;
  readonly lastPush: ShownPush | null;
};

/** A phone's state follows from this many pushes. */
const RECENT = 20;

/** In the order in which they came. */
export function devicesOf(source: PushSource): Device[] {
  const last = new Map(source.pushes().map((push) => [push.endpointArn, push]));
  return source.endpoints().map(({ arn, applicationArn, platform, isEnabled, customUserData }) => {
    const push = last.get(arn);
    return {
      endpoint: arn,
      platform,
      application: applicationArn.split('/').at(-1) ?? '',
      enabled: isEnabled,
      customUserData,
      lastPush: push ? shown(push) : null,
    };
  });
}

/** The latest pushes of each endpoint, oldest first. */
export function recentPushes(source: PushSource): ShownPush[] {
  const counts = new Map<string, number>();
  const recent = source
    .pushes()
    .reverse()
    .filter(({ endpointArn }) => {
      const count = (counts.get(endpointArn) ?? 0) + 1;
      counts.set(endpointArn, count);
      return count <= RECENT;
    });
  return recent.reverse().map(shown);
}

export function shown({ presentation, ...push }: Push): ShownPush {
  return {
    time: push.time,
    messageId: push.messageId,
    endpoint: push.endpointArn,
    kind: presentation.kind,
    banner: presentation.banner,
    badge: presentation.badge,
    data: presentation.data,
    collapseId: collapseIdOf(push.delivery),
    failure: push.failure && `${push.failure.type}: ${push.failure.message}`,
  };
}

/** iOS replaces by `apns-collapse-id`, Android by the notification's tag. */
function collapseIdOf(delivery: Push['delivery']): string | null {
  if (delivery.service === 'apns') return delivery.headers['apns-collapse-id'] ?? null;
  const { notification } = Object(delivery.message.android);
  return typeof notification?.tag === 'string' ? notification.tag : null;
}
