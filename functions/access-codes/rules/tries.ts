import { isToCome } from '../../../lib/contract/instant.ts';
import { revisionOf } from '../../../lib/contract/revision.ts';

/** How a user's wrong codes are counted: in real time, whatever the time machine says. Pure. */

export type Tries = {
  userId: string;
  /** When each of the last ten was tried, oldest first. */
  wrongAt: string[];
  /** Counts the changes, from 1. A redemption is one, too. */
  revision: number;
  /** Seconds since 1970. */
  expiresAt: number;
};

/** Of codes that do not exist: then nothing is tried for the rest of the hour. */
export const mostWrong = 10;

const hourMs = 3_600_000;

/** @returns until when the user is locked out; null where a try is left */
export function lockOf(tries: Tries | null, realNow: Date): string | null {
  const [oldest, ...others] = recent(tries, realNow);
  if (oldest === undefined || others.length + 1 < mostWrong) return null;
  return new Date(Date.parse(oldest) + hourMs).toISOString();
}

/** After a wrong code, or after a redemption, which leaves what was counted as it is. */
export function next(userId: string, tries: Tries | null, outcome: 'wrong' | 'redeemed', realNow: Date): Tries {
  const before = recent(tries, realNow);
  const wrongAt = outcome === 'wrong' ? [...before, realNow.toISOString()] : before;
  return {
    userId,
    wrongAt: wrongAt.slice(-mostWrong),
    revision: revisionOf(tries?.revision) + 1,
    expiresAt: Math.ceil((realNow.getTime() + hourMs) / 1000),
  };
}

function recent(tries: Tries | null, realNow: Date): string[] {
  const wrongAt = Array.isArray(tries?.wrongAt) ? tries.wrongAt : [];
  // A time to come was planted, and would lock for ever.
  return wrongAt.filter((at) => Date.parse(at) > realNow.getTime() - hourMs && !isToCome(at, realNow));
}
