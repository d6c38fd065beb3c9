import { isDeepStrictEqual } from 'node:util';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { succeedsUnlessConflict, transact, unlessConflict } from '../../../lib/runtime/commit.ts';
import { Failure, isContention, isRefusedAt } from '../../../lib/runtime/failure.ts';
import { below, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, putRow, query, update } from '../../../lib/runtime/rows.ts';
import { erasureNotBegun } from '../../erasure/exports.ts';
import type { Erasures } from '../../erasure/tables.ts';
import { type ExportRow, type Latest, type PersonalExport, perDay } from '../rules/export.ts';
import type { PersonalExports } from '../tables.ts';

/**
 * Table `PersonalExports`. `~` sorts after every character of an id: a Query from the end meets `~latest` first, and then the
 * newest exports. Every read is strongly consistent.
 */

const latestKey = '~latest';

/** What was gathered before the first step was gathered by nobody. */
function readRow({ made, ...row }: ExportRow): PersonalExport {
  return made ? { ...row, ...made } : { ...row, progress: null };
}

export async function readExportRow(
  table: PersonalExports<'get'>,
  { userId, exportId }: { userId: string; exportId: string },
): Promise<PersonalExport | null> {
  const row = await get<ExportRow>(table, { userId, exportId });
  return row && readRow(row);
}

/** A page of a person's exports, newest first. @param before the id that the last page ended with */
export async function listExportRows(
  table: PersonalExports<'query'>,
  userId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<{ rows: PersonalExport[]; hasMore: boolean }> {
  const asked = { ...inPartition({ userId }, { exportId: below(before ?? latestKey) }), ScanIndexForward: false };
  const { rows, hasMore } = await queryPage<ExportRow>(table, asked, limit);
  return { rows: rows.map(readRow), hasMore };
}

export type Latests = { readonly latestId: string | null; readonly rows: readonly PersonalExport[] };

/** What a request is decided on: as many as a day allows, newest first, and which one is said to be the latest. */
export async function readLatest(table: PersonalExports<'query'>, userId: string): Promise<Latests> {
  const { Items = [] } = await query(table, { ...inPartition({ userId }), ScanIndexForward: false, Limit: perDay + 1 });
  const latest = Items.find((row): row is Latest => row.exportId === latestKey);
  return {
    latestId: latest?.latestId ?? null,
    rows: Items.filter((row): row is ExportRow => row.exportId !== latestKey).map(readRow),
  };
}

/**
 * Of two requests at once one is first: both change `~latest`. None is written once the person's erasure has begun.
 *
 * @returns false where another request was first
 * @throws a Failure `ACCOUNT_CLOSED`
 */
export async function addExport(
  tables: {
    readonly PersonalExports: PersonalExports<'update'>;
    readonly Erasures: Erasures<'check'>;
  },
  row: PersonalExport,
  latestId: string | null,
): Promise<boolean> {
  const { userId, exportId, expiresAt } = row;
  const unchanged =
    latestId === null
      ? ({ condition: 'attribute_not_exists(userId)' } as const)
      : ({ condition: 'latestId = :read', more: { ':read': latestId } } as const);
  const latest: Latest = { userId, exportId: latestKey, latestId: exportId, expiresAt };
  const adding = transact([
    erasureNotBegun(tables.Erasures, userId),
    setOf(tables.PersonalExports, latest, unchanged),
    setOf(tables.PersonalExports, row, { condition: 'attribute_not_exists(userId)' }),
  ]);
  const added = adding.then(() => true);
  return unlessConflict(added, isContention, (error) => {
    if (isRefusedAt(error, 0)) throw new Failure(AccountClosed);
    return false;
  });
}

/** An Update, as its rights name the attributes. */
function setOf(
  table: PersonalExports<'update'>,
  { userId, exportId, ...values }: Latest | PersonalExport,
  { condition, more }: { readonly condition: string; readonly more?: Readonly<Record<string, unknown>> },
) {
  const names = Object.keys(values);
  return update(
    table,
    { userId, exportId },
    {
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: condition,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
        ...more,
      },
    },
  );
}

/** @returns false where another function has changed it, or the person was erased: nothing is written then */
export async function replaceExport(
  table: PersonalExports<'get' | 'putRow'>,
  before: PersonalExport,
  after: PersonalExport,
): Promise<boolean> {
  const { userId: _user, exportId: _export, ...made } = after;
  const condition = {
    // A row without `made` is of a request, or of the release before this was written.
    ConditionExpression: 'made.revision = :read OR (attribute_not_exists(made) AND revision = :read)',
    ExpressionAttributeValues: { ':read': before.revision },
  };
  if (await succeedsUnlessConflict(putRow(table, { ...after, made }, condition))) return true;
  // The SDK repeats a call whose answer was lost: then it is ours that is there.
  const there = await readExportRow(table, after);
  return there !== null && isDeepStrictEqual(there, after);
}
