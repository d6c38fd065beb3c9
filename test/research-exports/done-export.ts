import { asked, done, exportOf, type ResearchExport } from '../../functions/research-exports/rules/export.ts';
import { design } from './design.ts';

/** An export that is done, as its row is, whose files nobody has put. */
export function doneExport({ studyId, exportId }: { studyId: string; exportId: string }): ResearchExport {
  const now = new Date();
  const row = exportOf({ ...asked({ studyId, enrolledUntil: now, now, random: '00000000' }), design });
  const files = ['participants.csv', 'participants.ndjson'].map((name) => ({ name, bytes: 0, rows: 0, sha256: '' }));
  return done({ ...row, exportId, files }, now);
}
