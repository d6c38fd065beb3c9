import type { Notification } from './notification.ts';

/** What is to be pushed: from the changes of the agent board to one queue message for each device. */

/** A change of the agent board that users hear of. */
export type BoardEvent = {
  readonly userId: string;
  readonly eventId: string;
  /** The board's revision: of two events of a user, the one with the greater is the later. */
  readonly order: number;
  readonly notification: Notification;
};

/** A message of the queue: one notification for one device. */
export type Push = {
  readonly userId: string;
  readonly deviceId: string;
  /** With user and device, what a push is claimed under. */
  readonly event: string;
  /** Where the event stands among those of the same name: what is below the last one that was sent is out of date. */
  readonly order: number;
  readonly notification: Notification;
};

/**
 * Each message has its push. Of a user's badges only the last counts, and it is one event for all time: a count that
 * overtakes an older one on its way makes that one out of date. Every push carries the newest count known: a message
 * that was read at once would otherwise bring the old one back to the icon.
 */
export function coalesced(events: readonly BoardEvent[]): BoardEvent[] {
  const newest = new Map<string, BoardEvent>();
  for (const event of events) {
    if (event.order >= (newest.get(event.userId)?.order ?? 0)) newest.set(event.userId, event);
  }
  return events
    .filter(
      ({ userId, notification: { type } }, index) =>
        type !== 'badge_sync' ||
        !events.slice(index + 1).some((later) => later.userId === userId && later.notification.type === type),
    )
    .map((event) => {
      const { badge } = newest.get(event.userId)?.notification ?? event.notification;
      return { ...event, notification: { ...event.notification, badge } };
    });
}

export function pushesOf({ userId, eventId, notification, order }: BoardEvent, deviceIds: readonly string[]): Push[] {
  const event = notification.type === 'badge_sync' ? notification.type : eventId;
  return deviceIds.map((deviceId) => ({ userId, deviceId, event, order, notification }));
}

/** Who has taken a push upon himself, and what became of it. */
export type Claim = {
  readonly order: number;
  readonly status: 'claimed' | 'released' | 'sent' | 'undeliverable';
  /** Milliseconds since 1970. */
  readonly leaseUntil: number;
};

export type ClaimRow = Claim & { readonly delivery: string; readonly claimant: string; readonly expiresAt: number };
/** The number that a device is to show. */
export type BadgeRow = {
  readonly delivery: string;
  readonly order: number;
  readonly badge: number;
  readonly expiresAt: number;
};

/**
 * What becomes of a push where there already is a claim under its name: `done`, it was dealt with; `superseded`, a newer
 * one of the name was; `busy`, somebody is at it; `free`, it can be claimed.
 */
export function claimStatus(found: Claim, order: number, now: number): 'done' | 'superseded' | 'busy' | 'free' {
  if (found.order > order) return 'superseded';
  const isSettled = found.status === 'sent' || found.status === 'undeliverable';
  if (found.order === order && isSettled) return 'done';
  return found.status === 'claimed' && found.leaseUntil > now ? 'busy' : 'free';
}
