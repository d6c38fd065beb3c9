import { skewMs } from '../../../lib/contract/instant.ts';
/** How failed sign-ins of an account from an address are counted: in real time, whatever the time machine says. Pure. */

export type Tries = {
  pair: string;
  /** Sign-ins that were begun and did not succeed. */
  failures: number;
  /** Milliseconds since 1970: when the first and the last of them began. */
  since: number;
  last: number;
  /** Counts the changes, from 1. */
  revision: number;
};

export const mostFailures = 10;
/** Wrong codes of an account from all addresses together: a code of six digits, three of which are right, is guessed in months. */
export const mostCodes = 20;
/** From so many wrong codes on the owner is told that somebody knows the password. */
export const tellingCodes = 5;
export const windowMs = 15 * 60_000;

/** One more that is begun, or until when none is. The ten count within 15 minutes of the first, the lock from the last on. */
export function next(
  pair: string,
  before: Tries | null,
  now: number,
  most = mostFailures,
): { tries: Tries } | { lockedUntil: string } {
  const revision = (before?.revision ?? 0) + 1;
  if (!before || before.failures === 0 || isPast(before, now, most)) {
    return { tries: { pair, failures: 1, since: now, last: now, revision } };
  }
  if (before.failures >= most) return { lockedUntil: new Date(before.last + windowMs).toISOString() };
  return { tries: { ...before, failures: before.failures + 1, last: now, revision } };
}

/** The window has passed, or the lock is over. A time to come is of no honest function, and locks nobody. */
function isPast({ failures, since, last }: Tries, now: number, most: number): boolean {
  if (Math.max(since, last) > now + skewMs) return true;
  return now - (failures >= most ? last : since) >= windowMs;
}
