import { isToCome } from '../../../lib/contract/instant.ts';
import type { SessionLifetime } from '../../../lib/contract/product.ts';

/** How long a session lives, in real time. Pure. */

type Times = { readonly createdAt: string; readonly renewedAt: string };

/** Since its sign-in, or since its last renewal. A renewal to come is none. */
export function isOver({ createdAt, renewedAt }: Times, lifetime: SessionLifetime, now: Date): boolean {
  const since = (time: string) => (now.getTime() - Date.parse(time)) / 60_000;
  return (
    since(createdAt) >= lifetime.longestMinutes ||
    since(isToCome(renewedAt, now) ? createdAt : renewedAt) >= lifetime.idleMinutes
  );
}

/**
 * When a session was last renewed, to the day. By the second, a thief with a copy of its refresh token would know when to follow the
 * owner unnoticed.
 */
export function renewedOn({ createdAt, renewedAt }: Times): string {
  const day = `${String(renewedAt).slice(0, 10)}T00:00:00.000Z`;
  return day > createdAt ? day : createdAt;
}

/** Whoever comes back within two weeks presents the token of a row that is still there. */
const keptSeconds = 14 * 86_400;

/** Seconds since 1970. Nothing of the session is valid any more by then. */
export function expiryOf(createdAt: string, { longestMinutes }: SessionLifetime): number {
  return Math.ceil(Date.parse(createdAt) / 1000) + longestMinutes * 60 + keptSeconds;
}

/** Whether the session that a row expires for is over, however often it was renewed. */
export function isPastLongest({ expiresAt }: { readonly expiresAt: number }, now: Date): boolean {
  return now.getTime() / 1000 >= expiresAt - keptSeconds;
}
