import { isDeepStrictEqual } from 'node:util';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { skewMs } from '../../../lib/contract/instant.ts';
import { succeedsUnlessConflict, transact, unlessConflict } from '../../../lib/runtime/commit.ts';
import { Failure, isContention, isRefusedAt } from '../../../lib/runtime/failure.ts';
import { below, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, putRow, update } from '../../../lib/runtime/rows.ts';
import { erasureNotBegun } from '../../erasure/exports.ts';
import type { Erasures } from '../../erasure/tables.ts';
import { type ExportRow, idTimeOf, isExport, type Latest, type PersonalExport, perDay } from '../rules/export.ts';
import type { PersonalExports } from '../tables.ts';

/** Table `PersonalExports`. What lies beside the exports of a person, who else has written it, nobody reads. Every read is strongly consistent. */

const latestKey = '~latest';
const mostPages = 16;

/** What was gathered before the first step was gathered by nobody. @returns null for what is no export */
function readRow({ made, ...row }: ExportRow, now: Date): PersonalExport | null {
  const read = made ? { ...row, ...made } : { ...row, progress: null };
  return isExport(read, now) ? read : null;
}

const readRows = (rows: readonly ExportRow[], now: Date) =>
  rows.map((row) => readRow(row, now)).filter((row) => row !== null);

export async function readExportRow(
  table: PersonalExports<'get'>,
  { userId, exportId }: { userId: string; exportId: string },
  now: Date,
): Promise<PersonalExport | null> {
  const row = await get<ExportRow>(table, { userId, exportId });
  return row && readRow(row, now);
}

/** A page of a person's exports, newest first. @param before the id that the last page ended with */
export async function listExportRows(
  table: PersonalExports<'query'>,
  userId: string,
  { limit, before, now }: { limit: number; before: string | null; now: Date },
): Promise<{ rows: PersonalExport[]; next: string | null }> {
  const range = { exportId: below(before ?? endOfIds(now)) };
  const asked = { ...inPartition({ userId }, range), ScanIndexForward: false };
  const { rows, next } = await queryPage<ExportRow>(table, asked, limit);
  return { rows: readRows(rows, now), next };
}

/** No export was asked for later. */
function endOfIds(now: Date): string {
  return idTimeOf(new Date(now.getTime() + skewMs).toISOString());
}

export type Latests = { readonly latestId: string | null; readonly rows: readonly PersonalExport[] };

/** What a request is decided on: as many as a day allows, newest first, and which one is said to be the latest. */
export async function readLatest(table: PersonalExports<'get' | 'query'>, userId: string, now: Date): Promise<Latests> {
  const [latest, rows] = await Promise.all([
    get<Latest>(table, { userId, exportId: latestKey }),
    latestRows(table, userId, now),
  ]);
  const latestId = typeof latest?.latestId === 'string' ? latest.latestId : null;
  // Another request may have come between the two: then what is decided on is read after the latest one.
  const isOne = (rows[0]?.exportId ?? null) === latestId;
  return { latestId, rows: isOne ? rows : await latestRows(table, userId, now) };
}

/** A page may have fewer, if its rows are large or are no exports. What others plant does not end the request: nobody has so many pages. */
async function latestRows(table: PersonalExports<'query'>, userId: string, now: Date): Promise<PersonalExport[]> {
  const found: PersonalExport[] = [];
  let before: string | null = null;
  for (let pages = 0; pages < mostPages && found.length < perDay; pages += 1) {
    const page = await listExportRows(table, userId, { limit: perDay, before, now });
    found.push(...page.rows);
    before = page.next;
    if (before === null) break;
  }
  return found;
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
  // A number of many digits is read as a text, and no text is the same.
  const unchanged = {
    condition: 'latestId = :read OR NOT attribute_type(latestId, :text)',
    more: { ':read': latestId ?? '', ':text': 'S' },
  };
  const latest: Latest = { userId, exportId: latestKey, latestId: exportId, expiresAt };
  // What somebody else wrote there may fill the row.
  const removed = Object.keys(row).filter((name) => !(name in latest));
  const adding = transact([
    erasureNotBegun(tables.Erasures, userId),
    setOf(tables.PersonalExports, latest, unchanged, removed),
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
  removed: readonly string[] = [],
) {
  const names = Object.keys(values);
  return update(
    table,
    { userId, exportId },
    {
      UpdateExpression: [
        `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: condition,
      ExpressionAttributeNames: Object.fromEntries([...names, ...removed].map((name) => [`#${name}`, name])),
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
  const there = await readExportRow(table, after, new Date());
  return there !== null && isDeepStrictEqual(there, after);
}
