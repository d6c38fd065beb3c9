import type { Accounts } from '../../../lib/contract/accounts.ts';
import { accountPart } from '../../../lib/contract/accounts.ts';
import { isIdInRow } from '../../../lib/contract/id.ts';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { below, inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { dueAt, type Key, type TicketRow } from '../rules/ticket.ts';
import type { SupportTickets } from '../tables.ts';
import { ticketKey } from './ticket-rows.ts';

/** Counted at most: whether there are so many or more is the same alarm. */
const mostCounted = 1000;
/** DynamoDB's most of a call. */
const batch = 100;
/** What a run keeps for closing. */
const reserveMs = 3_000;

type OverdueTables = {
  readonly SupportTickets: SupportTickets<'query' | 'batchGet'>;
  readonly Accounts: Handle<typeof Accounts, 'batchGet'>;
};

/**
 * How many are overdue. Not those of closed accounts: nobody can answer them, and the erasure takes them. Nor a row of the list whose
 * ticket is not due then: whoever may add such rows hides no ticket behind them.
 *
 * @throws an Error where the time ends before one is found, so that the run's alarm rings
 */
export async function countOverdue(tables: OverdueTables, now: Date, remainingMs: () => number): Promise<number> {
  let [count, after]: [number, string | null] = [0, null];
  do {
    if (remainingMs() < reserveMs) {
      if (count > 0) return count;
      throw new Error('no time for all of what is due');
    }
    const query = only(inPartition({ part: 'due' }, { name: below(now.toISOString()) }, after), ['name']);
    const page: { rows: Pick<Key, 'name'>[]; next: string | null } = await queryPage<Pick<Key, 'name'>>(
      tables.SupportTickets,
      query,
      batch,
    );
    count += await countOpen(tables, new Set(page.rows.map(({ name }) => name)));
    after = page.next;
  } while (after !== null && count < mostCounted);
  return count;
}

/** @param names in the list of what is due: `<time>#<ticketId>` */
async function countOpen(tables: OverdueTables, names: ReadonlySet<string>): Promise<number> {
  const ids = new Set([...names].map((name) => name.slice(name.indexOf('#') + 1)));
  const rows = await batchGet<TicketRow>(tables.SupportTickets, [...ids].map(ticketKey));
  const due = rows.filter((row) => names.has(`${dueAt(row)}#${row.ticketId}`) && isIdInRow(row.userId));
  const people = [...new Set(due.map(({ userId }) => userId))];
  const accounts = await batchGet(
    tables.Accounts,
    people.map((userId) => ({ userId, part: accountPart })),
  );
  const closed = new Set(accounts.flatMap(({ userId, isClosed }) => (isClosed === true ? [userId] : [])));
  return due.filter(({ userId }) => !closed.has(userId)).length;
}
