import { countOrNone, largeCount } from './counts.ts';
import { failed, filesUntil, isGivenUp, type ResearchExport } from './export.ts';

/** What researchers can see of an export. Pure. */

export function shown(row: ResearchExport, now: Date) {
  const { exportId, studyId, requestedAt, enrolledUntil } = row;
  const { status, finishedAt, failure } = isGivenUp(row, now) ? failed(row, 'GIVEN_UP', now) : row;
  const enrolments = largeCount(row.enrolments);
  const participants = status === 'done' ? largeCount(row.participants) : null;
  return { exportId, studyId, status, requestedAt, enrolledUntil, enrolments, participants, finishedAt, failure };
}

/** What became of small cells; also in the manifest. */
export function shownCells(smallCells: ResearchExport['smallCells']) {
  if (!smallCells) return null;
  const { levels, suppressed, withdrawn } = smallCells;
  return { levels, suppressed: countOrNone(suppressed), withdrawn: countOrNone(withdrawn) };
}

/** A file can tell by its size how many people are in it. So its size is shown only with its download link. */
export function shownFile({ name, bytes, rows, sha256 }: ResearchExport['files'][number], isThere: boolean) {
  return { name, bytes: isThere ? bytes : null, rows: isThere ? rows : null, sha256 };
}

/** Whether the files still exist. */
export function hasFiles(row: ResearchExport, now: Date): boolean {
  const until = filesUntil(row);
  return row.status === 'done' && until !== null && now < until;
}
