import { type AccountRow, type Accounts, accountPart, guardCount, guardKey } from '../../../lib/contract/accounts.ts';
import { type Items, transact } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { check, get, put, remove, type TransactItem } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { accountOf, erasureKeyOf, hasGuards } from '../rules/erasure.ts';
import { withEndsOf } from '../rules/kept-ends.ts';
import type { Erasure } from '../rules/state.ts';
import type { Erasures } from '../tables.ts';

/** Table `Accounts`: what an erasure's state means for all functions. It changes only with that state, in its transaction. */

/** Only for functions that can close or open an account. */
export type AccountTables = {
  readonly accounts?: Handle<typeof Accounts, 'get' | 'put' | 'remove'>;
  /** In its place, of a function that can only close an account. */
  readonly closing?: Handle<typeof Accounts, 'put'>;
};

/**
 * The changes of the account's rows that belong to a change of the state; mostly none. They need no conditions, because
 * the state's row has one.
 */
export async function accountMove(
  { accounts, closing = accounts }: AccountTables,
  before: Erasure | null,
  after: Erasure,
): Promise<Items> {
  const isOpening = Boolean(before?.requestedAt) && !after.requestedAt;
  const next = isOpening && accounts ? await opened(accounts, before, after) : after;
  return movesOf(difference(before ? rowsOf(before) : [], rowsOf(next)), closing, accounts);
}

/** If the closing ended no consent, its own end goes with it: whether it did is in the state. */
async function opened(table: Handle<typeof Accounts, 'get'>, before: Erasure | null, after: Erasure): Promise<Erasure> {
  const row = await get(table, { userId: after.userId, part: accountPart });
  const { ends, ...all } = withEndsOf(after, row?.ends, new Date());
  // In a row that is open, this end is of an earlier closing.
  const own = row?.isClosed === true && before ? before.endedAt : null;
  return { ...all, ends: ends.filter((end) => end !== own || after.ends.includes(end)) };
}

type RepairTables = {
  readonly table: Erasures<'check'>;
  readonly accounts: Handle<typeof Accounts, 'query' | 'put' | 'remove'>;
};

/**
 * Makes the account's rows match the state, whatever a backup restored. Ends of consents that only the row has stay. If
 * the state has changed in the meantime, nothing is written: that change has also written the account's rows.
 *
 * @param erasure `nothing` for a user without a row
 */
export async function repairAccount({ table, accounts }: RepairTables, erasure: Erasure): Promise<void> {
  const { userId, revision } = erasure;
  const rows = await readRows(accounts, userId);
  const items = movesOf(difference(rows, rowsBeside(rows, erasure)), accounts, accounts);
  if (items.length === 0) return;
  await transact([check(table, erasureKeyOf(userId), ifRevision('kind', revision)), ...items]);
}

/** Whether the account's row and all its guard rows match the state. The row may have more ends than the state. */
export async function isClosed(accounts: Handle<typeof Accounts, 'query'>, erasure: Erasure): Promise<boolean> {
  const rows = await readRows(accounts, erasure.userId);
  const { changed, gone } = difference(rows, rowsBeside(rows, erasure));
  return hasGuards(erasure) && changed.length + gone.length === 0;
}

function rowsBeside(stored: readonly AccountRow[], erasure: Erasure): AccountRow[] {
  return rowsOf(withEndsOf(erasure, stored.find(({ part }) => part === accountPart)?.ends, new Date()));
}

/** Other rows, which somebody may have added, mean nothing to anybody. */
const parts = new Set([accountPart, ...Array.from({ length: guardCount }, (_, number) => guardKey('', number).part)]);

async function readRows(accounts: Handle<typeof Accounts, 'query'>, userId: string): Promise<AccountRow[]> {
  const rows: AccountRow[] = [];
  for await (const row of queryEach(accounts, inPartition({ userId }))) if (parts.has(row.part)) rows.push(row);
  return rows;
}

function rowsOf(erasure: Erasure): AccountRow[] {
  const { userId } = erasure;
  const account = accountOf(erasure);
  const guards = hasGuards(erasure) ? guardCount : 0;
  return [
    ...(account ? [{ userId, part: accountPart, ...account }] : []),
    ...Array.from({ length: guards }, (_, number) => guardKey(userId, number)),
  ];
}

type Difference = { readonly changed: readonly AccountRow[]; readonly gone: readonly AccountRow[] };

function movesOf(
  { changed, gone }: Difference,
  closing: Handle<typeof Accounts, 'put'> | undefined,
  opening: Handle<typeof Accounts, 'remove'> | undefined,
): TransactItem[] {
  return [
    ...changed.map((row) => put(named(closing), row)),
    ...gone.map(({ userId, part }) => remove(named(opening), { userId, part })),
  ];
}

function named<T>(table: T | undefined): T {
  if (table === undefined) throw new Error('this change closes or opens an account, and table Accounts is not named');
  return table;
}

function difference(are: readonly AccountRow[], shall: readonly AccountRow[]): Difference {
  const written = (rows: readonly AccountRow[]) => new Map(rows.map((row) => [row.part, JSON.stringify(sorted(row))]));
  const [were, will] = [written(are), written(shall)];
  const changed = shall.filter(({ part }) => were.get(part) !== will.get(part));
  const gone = are.filter(({ part }) => !will.has(part));
  return { changed, gone };
}

function sorted(row: AccountRow): [string, unknown][] {
  return Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
