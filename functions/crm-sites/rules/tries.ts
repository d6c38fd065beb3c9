import { isToCome } from '../../../lib/contract/instant.ts';
/** How often a user may type a wrong code: ten times in any hour. Real time. Pure. */

export type Tries = {
  readonly userId: string;
  /** New for each change: what is decided on a row is written only while it is that row. */
  readonly changeId: string;
  /** When each wrong code was typed, in order, that is less than an hour old. */
  readonly wrong: readonly string[];
  /** Seconds since 1970. DynamoDB deletes later than that. */
  readonly expiresAt: number;
};

const mostTries = 10;
const hourMs = 3_600_000;

export function isLocked(tries: Tries | null, realNow: Date): boolean {
  return recent(tries, realNow).length >= mostTries;
}

/** @param isWrong whether it is one more wrong code, or a join, which leaves their number as it is */
export function triesAfter(
  before: Tries | null,
  { userId, changeId, realNow, isWrong }: { userId: string; changeId: string; realNow: Date; isWrong: boolean },
): Tries {
  const wrong = [...recent(before, realNow), ...(isWrong ? [realNow.toISOString()] : [])];
  return { userId, changeId, wrong, expiresAt: Math.ceil((realNow.getTime() + hourMs) / 1000) };
}

function recent(tries: Tries | null, realNow: Date): string[] {
  const wrong = Array.isArray(tries?.wrong) ? tries.wrong : [];
  // A time to come was planted, and would lock for ever.
  return wrong.filter((at) => Date.parse(at) > realNow.getTime() - hourMs && !isToCome(at, realNow));
}
