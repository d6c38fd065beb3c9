import { isTime } from '../../../lib/contract/instant.ts';
import { revisionOf } from '../../../lib/contract/revision.ts';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import { type Entry, entryKey, type Listed, listKeys, listNamed, rangeOf, type Status } from '../rules/directory.ts';
import type { UserDirectory } from '../tables.ts';

/** Table `UserDirectory`; tables.ts says which rows there are. */

/** Strongly consistent. */
export async function readEntry(table: UserDirectory<'get'>, userId: string): Promise<Entry | null> {
  const row = await get<Entry>(table, entryKey(userId));
  return row && entryIn(row, userId);
}

const never = '1970-01-01T00:00:00.000Z';

/** @returns null for a row on which nobody can count */
function entryIn({ revision: stored, createdAt, status }: Partial<Entry>, userId: string): Entry | null {
  const revision = revisionOf(stored);
  if (revision === 0) return null;
  const isDisabled = status === 'disabled';
  return { userId, createdAt: isTime(createdAt) ? createdAt : never, status: isDisabled ? status : 'active', revision };
}

/** By user. Strongly consistent. */
export async function readEntries(
  table: UserDirectory<'batchGet'>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  const rows = userIds.length === 0 ? [] : await batchGet<Entry>(table, userIds.map(entryKey));
  return new Map(rows.map((row) => [row.userId, entryIn(row, row.userId) ?? row]));
}

/** The items of a transaction: a user's rows from `before`, null for none, to `after`, where nobody was first. */
export function moveEntry(table: UserDirectory<'put' | 'remove'>, before: Entry | null, after: Entry): Items {
  const nameOf = ({ list, entry }: Pick<Listed, 'list' | 'entry'>) => `${list} ${entry}`;
  const lists = listKeys(after);
  const stay = lists.map(nameOf);
  const leave = before ? listKeys(before).filter((key) => !stay.includes(nameOf(key))) : [];
  return [
    put(table, { ...entryKey(after.userId), ...after }, ifRevision('entry', before?.revision)),
    ...leave.map((key) => remove(table, key)),
    ...lists.map((key) => put(table, { ...key, userId: after.userId, status: after.status })),
  ];
}

/** The same where none of the user's rows stays. */
export function removeEntry(table: UserDirectory<'remove'>, before: Entry): Items {
  const own = remove(table, entryKey(before.userId), ifRevision('entry', before.revision));
  return [own, ...listKeys(before).map((key) => remove(table, key))];
}

/** The item of a transaction that deletes a row on which nobody can count. */
export function deleteUncounted(table: UserDirectory<'remove'>, userId: string) {
  return remove(table, entryKey(userId), ifRevision('entry', 0));
}

/** A page of a list, newest first: one Query, however many users there are. */
export async function readListed(
  table: UserDirectory<'query'>,
  asked: { status?: Status | undefined; from?: string | undefined; to?: string | undefined },
  { limit, after }: { limit: number; after: string | null },
): Promise<{ listed: Listed[]; next: string | null }> {
  const range = rangeOf(asked.from, asked.to);
  // DynamoDB takes neither an empty range nor a start outside of it, as a cursor of another query has.
  if (!range || (after !== null && (after <= range[0] || after > range[1]))) return { listed: [], next: null };
  const list = listNamed(asked.status ?? null);
  const { rows, next } = await queryPage<Listed>(
    table,
    {
      ...inPartition({ list }, { entry: between(range[0], range[1]) }, after),
      ScanIndexForward: false,
    },
    limit,
  );
  return { listed: rows, next };
}
