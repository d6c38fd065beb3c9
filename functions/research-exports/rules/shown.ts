import { fewest } from '../../research/rules/study.ts';
import { failed, filesUntil, isGivenUp, type ResearchExport } from './export.ts';

/** What researchers can see of an export. Pure. */

export function shown(row: ResearchExport, now: Date) {
  const { exportId, studyId, requestedAt, enrolledUntil, enrolments } = row;
  const { status, finishedAt, failure } = isGivenUp(row, now) ? failed(row, 'GIVEN_UP', now) : row;
  const participants = status === 'done' && row.participants >= fewest ? row.participants : null;
  return { exportId, studyId, status, requestedAt, enrolledUntil, enrolments, participants, finishedAt, failure };
}

/** Whether the files still exist. */
export function hasFiles(row: ResearchExport, now: Date): boolean {
  const until = filesUntil(row);
  return row.status === 'done' && until !== null && now < until;
}
