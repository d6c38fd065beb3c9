import { isDeepStrictEqual } from 'node:util';
import { isTime } from '../../../lib/contract/instant.ts';
import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { below, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { type Condition, get, putRow, update } from '../../../lib/runtime/rows.ts';
import { type AskedExport, type ExportRow, exportOf, type Latest, type ResearchExport } from '../rules/export.ts';
import type { ResearchExports } from '../tables.ts';

/** Table `ResearchExports`. `~` sorts after every character of an id. Every read is strongly consistent. */

type Named = Pick<ResearchExport, 'studyId' | 'exportId'>;

const latestKey = '~latest';

export async function readExportRow(
  table: ResearchExports<'get'>,
  { studyId, exportId }: Named,
): Promise<ResearchExport | null> {
  const row = await get<ExportRow>(table, { studyId, exportId });
  return row && readRow(row);
}

/** @returns null for `~latest`, and for what somebody planted: it would take the whole list away */
function readRow({ begun, ...row }: ExportRow): ResearchExport | null {
  const asked = { ...row, ...begun };
  return isAsked(asked) ? exportOf(asked) : null;
}

/** Files are below both ids: with another path in one, a message would remove the files of another export. */
function isAsked(row: Partial<AskedExport>): row is AskedExport {
  const { studyId, exportId, requestedAt, enrolledUntil } = row;
  return [studyId, exportId].every((id) => id?.includes('/') === false) && isTime(requestedAt) && isTime(enrolledUntil);
}

/** A page of a study's exports, newest first. @param before the id that the last page ended with */
export async function listExportRows(
  table: ResearchExports<'query'>,
  studyId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<{ rows: ResearchExport[]; next: string | null }> {
  const query = { ...inPartition({ studyId }, { exportId: below(before ?? latestKey) }), ScanIndexForward: false };
  const { rows, next } = await queryPage<ExportRow>(table, query, limit);
  return { rows: rows.flatMap((row) => readRow(row) ?? []), next };
}

/** Which export of a study was requested last. */
export async function readLatestId(table: ResearchExports<'get'>, studyId: string): Promise<string | null> {
  return (await get<Latest>(table, { studyId, exportId: latestKey }))?.latestId ?? null;
}

/** The items of the transaction that requests an export. If two requests come at once, only one succeeds, because both change `~latest`. */
export function putRequested(table: ResearchExports<'update'>, row: AskedExport, latestId: string | null) {
  const { studyId, exportId, requestedAt, enrolledUntil } = row;
  const latest = {
    UpdateExpression: 'SET latestId = :new',
    ConditionExpression: latestId === null ? 'attribute_not_exists(studyId)' : 'latestId = :read',
    ExpressionAttributeValues: { ':new': exportId, ...(latestId !== null && { ':read': latestId }) },
  };
  const asked = {
    UpdateExpression: 'SET requestedAt = :requestedAt, enrolledUntil = :enrolledUntil',
    ExpressionAttributeValues: { ':requestedAt': requestedAt, ':enrolledUntil': enrolledUntil },
  };
  return [update(table, { studyId, exportId: latestKey }, latest), update(table, { studyId, exportId }, asked)];
}

/** The next step's row, and the condition that no other function has changed it: for a put. */
export function stepOf(before: ResearchExport, after: ResearchExport): [row: ExportRow, condition: Condition] {
  return [
    { ...after, begun: { requestedAt: after.requestedAt, enrolledUntil: after.enrolledUntil } },
    before.revision === 0
      ? { ConditionExpression: 'attribute_exists(studyId) AND attribute_not_exists(revision)' }
      : ifRevision('studyId', before.revision),
  ];
}

/** @returns false if another function has changed it; then nothing is written */
export async function replaceExport(
  table: ResearchExports<'get' | 'putRow'>,
  before: ResearchExport,
  after: ResearchExport,
): Promise<boolean> {
  const isReplaced = await succeedsUnlessConflict(putRow(table, ...stepOf(before, after)));
  // The SDK repeats a call whose answer was lost. Then the row is our own.
  return isReplaced || isThere(table, after);
}

export async function isThere(table: ResearchExports<'get'>, row: ResearchExport): Promise<boolean> {
  const found = await readExportRow(table, row);
  return found !== null && isDeepStrictEqual(found, row);
}
