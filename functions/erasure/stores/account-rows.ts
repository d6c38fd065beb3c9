import { accountPart, guardCount, guardKey } from '../../../lib/contract/accounts.ts';
import { type Items, transact } from '../../../lib/runtime/commit.ts';
import { check, get, put, query, remove } from '../../../lib/runtime/rows.ts';
import type { TableHandle } from '../../../lib/runtime/table-handle.ts';
import { accountOf, erasureKeyOf, hasGuards } from '../rules/erasure.ts';
import { withEndsOf } from '../rules/kept-ends.ts';
import type { Erasure } from '../rules/state.ts';

/** Table `Accounts`: what an erasure's state means for all functions. It changes only with that state, in its transaction. */

type Row = Readonly<Record<string, unknown>> & { readonly userId: string; readonly part: string };

/**
 * The changes of the account's rows that belong to a change of the state; mostly none. They need no conditions, because
 * the state's row has one.
 */
export async function accountMove(
  table: TableHandle | undefined,
  before: Erasure | null,
  after: Erasure,
): Promise<Items> {
  const isOpening = Boolean(before?.requestedAt) && !after.requestedAt;
  const next = isOpening && table !== undefined ? await opened(table, before, after) : after;
  const items = difference(before ? rowsOf(before) : [], rowsOf(next));
  if (items.length === 0) return [];
  if (table === undefined) throw new Error('this change closes or opens an account, and table Accounts is not named');
  return items.map((item) => item(table));
}

/** If the closing ended no consent, its own end goes with it: whether it did is in the state. */
async function opened(table: TableHandle, before: Erasure | null, after: Erasure): Promise<Erasure> {
  const row = await get<Row>(table, { userId: after.userId, part: accountPart });
  const { ends, ...all } = withEndsOf(after, row?.ends, new Date());
  // In a row that is open, this end is of an earlier closing.
  const own = row?.isClosed === true && before ? before.endedAt : null;
  return { ...all, ends: ends.filter((end) => end !== own || after.ends.includes(end)) };
}

/**
 * Makes the account's rows match the state, whatever a backup restored. Ends of consents that only the row has stay. If
 * the state has changed in the meantime, nothing is written: that change has also written the account's rows.
 *
 * @param erasure `nothing` for a user without a row
 */
export async function repairAccount(
  { table, accounts }: { readonly table: TableHandle; readonly accounts: TableHandle },
  erasure: Erasure,
): Promise<void> {
  const { userId, revision } = erasure;
  const rows = await readRows(accounts, userId);
  const items = difference(rows, rowsBeside(rows, erasure));
  if (items.length === 0) return;
  const isStill =
    revision === 0
      ? { ConditionExpression: 'attribute_not_exists(kind)' }
      : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision } };
  await transact([check(table, erasureKeyOf(userId), isStill), ...items.map((item) => item(accounts))]);
}

/** Whether the account's row and all its guard rows match the state. The row may have more ends than the state. */
export async function isClosed(accounts: TableHandle, erasure: Erasure): Promise<boolean> {
  const rows = await readRows(accounts, erasure.userId);
  return hasGuards(erasure) && difference(rows, rowsBeside(rows, erasure)).length === 0;
}

function rowsBeside(stored: readonly Row[], erasure: Erasure): Row[] {
  return rowsOf(withEndsOf(erasure, stored.find(({ part }) => part === accountPart)?.ends, new Date()));
}

async function readRows(accounts: TableHandle, userId: string): Promise<Row[]> {
  const { Items = [] } = await query(accounts, {
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  });
  return Items as Row[];
}

function rowsOf(erasure: Erasure): Row[] {
  const { userId } = erasure;
  const account = accountOf(erasure);
  const guards = hasGuards(erasure) ? guardCount : 0;
  return [
    ...(account ? [{ userId, part: accountPart, ...account }] : []),
    ...Array.from({ length: guards }, (_, number) => guardKey(userId, number)),
  ];
}

type Move = (table: TableHandle) => Items[number];

function difference(are: readonly Row[], shall: readonly Row[]): Move[] {
  const written = (rows: readonly Row[]) => new Map(rows.map((row) => [row.part, JSON.stringify(sorted(row))]));
  const [were, will] = [written(are), written(shall)];
  const changed = shall.filter(({ part }) => were.get(part) !== will.get(part));
  const gone = are.filter(({ part }) => !will.has(part));
  return [
    ...changed.map(
      (row): Move =>
        (table) =>
          put(table, row),
    ),
    ...gone.map(
      ({ userId, part }): Move =>
        (table) =>
          remove(table, { userId, part }),
    ),
  ];
}

function sorted(row: Row): [string, unknown][] {
  return Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
