import { isTime } from './instant.ts';
import { table } from './tables.ts';

/**
 * Whether a user's account is open. Every function that is called in somebody's name asks this, so the table is declared
 * here; the erasure owns it. The row `account` holds the state. While the account is closed, each of its guards has a row.
 */
export const Accounts = table<AccountRow>()('Accounts', { partitionKey: 'userId', sortKey: 'part' });

export type Account = {
  /** True from the request to delete the account; false again once the request is taken back. */
  readonly isClosed: boolean;
  /** The times at which it was closed, in order. Each ended all consents that had been given until then. */
  readonly ends: readonly string[];
  /** Some of them cannot be read, so nobody can say which consents ended. */
  readonly isInDoubt?: boolean;
};

/** A guard has only its key. */
export type AccountRow = { readonly userId: string; readonly part: string } & Partial<Account>;

export const neverClosed: Account = { isClosed: false, ends: [] };

/** What a row says. Several functions write it, and IAM checks no types: what is no time ends nothing, and puts in doubt what did. */
export function accountIn({ isClosed, ends = [] }: Partial<Account>): Account {
  const times = endsIn(ends);
  const isInDoubt = !Array.isArray(ends) || ends.length > times.length;
  return { isClosed: isClosed === true, ends: times, ...(isInDoubt && { isInDoubt }) };
}

export function endsIn(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter(isTime).toSorted() : [];
}

export const accountPart = 'account';

/**
 * Rows that exist while an account is closed. Each write has in its transaction the condition that one of them does not
 * exist. The closing writes all of them in one transaction, so either the write or the closing is first. The write chooses
 * its row at random, since DynamoDB refuses two transactions that check the same row at once: for two writes of one user
 * this happens once in 64. A transaction has at most 100 items, so the closing's has no room for more rows.
 */
export const guardCount = 64;

export function guardKey(userId: string, number: number): { userId: string; part: string } {
  return { userId, part: `guard-${String(number).padStart(2, '0')}` };
}

/**
 * The time at which a closing of the account ended a consent: the first end that is not earlier than its record. Null where
 * none did.
 *
 * @param recordedAt the time of the latest record
 * @param ends the account's ends, in order
 */
export function endAfter(recordedAt: string, ends: readonly string[]): string | null {
  return ends.find((end) => end >= recordedAt) ?? null;
}
