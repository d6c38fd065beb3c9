import { revisionOf } from '../../../lib/contract/revision.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { inPartition, startingWith } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import { type DirectoryEntry, type DirectoryKey, newEntry } from '../rules/directory.ts';
import { nameText } from '../rules/name-text.ts';
import type { StaffDirectory } from '../tables.ts';

/** Table `StaffDirectory`. Each entry is there twice, and both rows change in one transaction. Every read is strongly consistent. */

/** No id has a tilde. */
const listed = '~names';

function keyOf(userId: string): DirectoryKey {
  return { part: userId, place: 'entry' };
}

function listKeyOf({ userId, name }: DirectoryEntry): DirectoryKey | null {
  return name === null ? null : { part: listed, place: `${nameText(name)} #${userId}` };
}

/** As the routes have it, so of as many bytes as characters. */
const isId = /^[\w.-]{1,64}$/;

/** What a planted row has in place of names and lists is left out, as is what is longer than any: what is put again always fits in a row. */
function entryOf(row: DirectoryEntry): DirectoryEntry {
  const { userId, name, title, specialties, siteIds, roles, status, revision } = row;
  const isText = (text: unknown): text is string => typeof text === 'string' && text.length <= 200;
  const listOf = <T extends string>(names: unknown, most: number) =>
    Array.isArray(names) ? (names.filter((each) => isText(each) && each.length <= 100).slice(0, most) as T[]) : [];
  return {
    userId,
    name: isText(name) ? name : null,
    title: isText(title) ? title : null,
    specialties: listOf(specialties, 20),
    siteIds: listOf(siteIds, 3000).filter((id) => isId.test(id)),
    roles: Array.isArray(roles) ? listOf(roles, 20) : null,
    status: status === 'disabled' ? status : 'active',
    revision,
  };
}

/** With revision 0 where there is none. */
export async function readEntry(table: StaffDirectory<'get'>, userId: string): Promise<DirectoryEntry> {
  const row = await get(table, keyOf(userId));
  const revision = revisionOf(row?.revision);
  return !row || revision === 0 ? newEntry(userId) : { ...entryOf(row), userId, revision };
}

/**
 * Those whose name begins so, by name.
 *
 * @param text folded; empty: all
 */
export async function readDirectory(
  table: StaffDirectory<'query'>,
  text: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ entries: DirectoryEntry[]; next: string | null }> {
  const query = inPartition({ part: listed }, { place: startingWith(text) }, after);
  const { rows, next } = await queryPage(table, query, limit);
  return { entries: rows.map(entryOf), next };
}

/** The items of a transaction, on the condition that the entry is still what was read; none where nothing changes. */
export function putEntry(
  table: StaffDirectory<'put' | 'remove'>,
  after: DirectoryEntry,
  before: DirectoryEntry,
): Items {
  if (after === before) return [];
  const [key, left] = [listKeyOf(after), listKeyOf(before)];
  return [
    put(table, { ...keyOf(after.userId), ...after }, ifRevision('part', before.revision)),
    ...(key ? [put(table, { ...key, ...after })] : []),
    ...(left && left.place !== key?.place ? [remove(table, left)] : []),
  ];
}

/** The items of a transaction that takes an entry out, on the condition that it is still what was read. */
export function deleteEntry(table: StaffDirectory<'remove'>, entry: DirectoryEntry): Items {
  const key = listKeyOf(entry);
  return [remove(table, keyOf(entry.userId), ifRevision('part', entry.revision)), ...(key ? [remove(table, key)] : [])];
}
