import type { Accounts } from '../../../lib/contract/accounts.ts';
import { accountPart } from '../../../lib/contract/accounts.ts';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import type { SupportTickets } from '../tables.ts';
import { readOverdue } from './ticket-rows.ts';

/** Counted at most: whether there are a thousand or more is the same alarm. */
const mostCounted = 1000;
const batch = 100;

/** How many are overdue. Not those of closed accounts: nobody can answer them, and the erasure takes them. */
export async function countOverdue(
  tables: {
    readonly SupportTickets: SupportTickets<'query'>;
    readonly Accounts: Handle<typeof Accounts, 'batchGet'>;
  },
  now: Date,
): Promise<number> {
  const { found } = await readOverdue(tables.SupportTickets, now, { limit: mostCounted, after: null });
  const people = [...new Set(found.map(({ userId }) => userId))];
  const closed = new Set<string>();
  for (let from = 0; from < people.length; from += batch) {
    const keys = people.slice(from, from + batch).map((userId) => ({ userId, part: accountPart }));
    const accounts = await batchGet(tables.Accounts, keys);
    for (const { userId, isClosed } of accounts) if (isClosed === true) closed.add(userId);
  }
  return found.filter(({ userId }) => !closed.has(userId)).length;
}
