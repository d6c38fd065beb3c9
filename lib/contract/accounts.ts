import { table } from './tables.ts';

/**
 * Whether a user's account is open, which every function that is called in somebody's name asks: so it stands here, and the
 * erasure owns it. Under `account` the state; while it is closed, a row for each of its guards.
 */
export const Accounts = table('Accounts', { partitionKey: 'userId', sortKey: 'part' });

export type Account = {
  /** From the request to delete it on; no more once that is taken back. */
  readonly isClosed: boolean;
  /** When it was closed, each time, in order: every consent that was given until then has ended. */
  readonly ends: readonly string[];
};

export const neverClosed: Account = { isClosed: false, ends: [] };

export const accountPart = 'account';

/**
 * Rows that are there while an account is closed. A write has one of them in its transaction, on the condition that it is
 * not there, and the closing puts all of them in one: of the two one is first. Which one is left to chance, since two
 * transactions that look at the same row at once are refused: of two writes of one user that happens to one in 64. More
 * would not fit into the closing's transaction, which has 100 items.
 */
export const guardCount = 64;

export function guardKey(userId: string, number: number): { userId: string; part: string } {
  return { userId, part: `guard-${String(number).padStart(2, '0')}` };
}

/**
 * When a consent ended with the account: at the first end that is not earlier than its record. Null where it did not.
 *
 * @param recordedAt of the latest record
 * @param ends of the account, in order
 */
export function endAfter(recordedAt: string, ends: readonly string[]): string | null {
  return ends.find((end) => end >= recordedAt) ?? null;
}
