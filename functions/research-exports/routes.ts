import * as z from 'zod/mini';
import { readFrom } from '../../lib/contract/bucket-uses.ts';
import { CalendarDate, Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, get, joined, read, sendTo } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { StudyNotFound } from '../research/errors.ts';
import { administerStudies } from '../research/permissions.ts';
import { Studies } from '../research/tables.ts';
import { ResearchExportFiles } from './buckets.ts';
import { ResearchExportNotFound, ResearchExportUnderWay, StudyNotExported } from './errors.ts';
import { ResearchExportQueue } from './queues.ts';
import { ResearchExportNotices, ResearchExports } from './tables.ts';

const staff = ['medinfo'] as const;
const ofStudy = z.object({ studyId: pathId(StudyNotFound) });
const time = z.nullable(Timestamp);

const said = {
  exportId: Id,
  studyId: Id,
  status: z.enum(['pending', 'running', 'done', 'failed']),
  requestedAt: Timestamp,
  /** Whoever joined the study later is not in it. */
  enrolledUntil: Timestamp,
  /** Enrolments that were looked at so far, also of those who left; only where they are five or more. */
  enrolments: z.nullable(z.int()),
  /** Once it is done; and only where they are five or more. */
  participants: z.nullable(z.int()),
  /** When it was done or given up. */
  finishedAt: time,
  failure: z.nullable(z.enum(['SMALL_CELLS', 'TOO_MANY_PARTICIPANTS', 'GIVEN_UP'])),
};

export const ResearchExport = z.object(said);

export const ResearchExportSmallCells = z.object({
  /** By quasi-identifier: how many times its values were made coarser. */
  levels: z.record(z.string(), z.int()),
  /** Participants of whom a value was left out. Null: one to four. */
  suppressed: z.nullable(z.int()),
  /** Participants who left or were erased after their page was read; they are not in the files. Null: one to four. */
  withdrawn: z.nullable(z.int()),
});

export const ResearchExportFile = z.object({
  name: z.string(),
  bytes: z.int(),
  /** Without the line of the columns. Exact, since whoever reads this can download the file. */
  rows: z.int(),
  sha256: z.string(),
  /** Null where no file can be had any more. */
  downloadUrl: z.nullable(z.string()),
});

export const ResearchExportManifest = z.object({ name: z.string(), downloadUrl: z.nullable(z.string()) });

export const ResearchExportWithFiles = z.object({
  ...said,
  smallCells: z.nullable(ResearchExportSmallCells),
  files: z.array(ResearchExportFile),
  /** `manifest.json`, and the same signed. */
  manifests: z.array(ResearchExportManifest),
  /** Somebody in it has left or was erased, and its rows are to be deleted: it can no longer be downloaded. */
  isWithdrawn: z.boolean(),
  /** Until when S3 keeps the files. */
  filesUntil: time,
  /** A download has to begin by then. */
  downloadUrlsExpireAt: time,
});

export const requestResearchExport = route({
  method: 'POST',
  path: '/research/studies/{studyId}/exports',
  summary: 'Requests the files of a study',
  description: withKeyNote(
    'Of the participants whose consent holds when their page is read, with what the server received while it held. ' +
      '`GET …/{exportId}` says how far it is. One export of a study is made at a time.',
  ),
  applications: staff,
  auth: administerStudies,
  uses: joined(
    [get(Studies), get(ResearchExports), append(ResearchExports), append(AuditEvents), sendTo(ResearchExportQueue)],
    idempotencyUses,
  ),
  headers: idempotencyHeaders,
  params: ofStudy,
  status: 202,
  response: ResearchExport,
  errors: [StudyNotFound, StudyNotExported, ResearchExportUnderWay, IdempotencyKeyReused],
});

export const listResearchExports = route({
  method: 'GET',
  path: '/research/studies/{studyId}/exports',
  summary: 'The exports of a study, newest first',
  applications: staff,
  auth: administerStudies,
  uses: [get(Studies), read(ResearchExports)],
  params: ofStudy,
  items: ResearchExport,
  errors: [StudyNotFound],
});

export const readResearchExport = route({
  method: 'GET',
  path: '/research/studies/{studyId}/exports/{exportId}',
  summary: 'The progress of an export, and the addresses of its files',
  description:
    'Every reading of an export that is `done` gives new addresses, which live for 15 minutes, and writes an audit event. They need ' +
    'no token: whoever has one has the file. The files are kept for seven days. When a participant who is in them leaves without allowing to keep what was ' +
    'exported, or is erased, they can no longer be downloaded: request a new export.',
  applications: staff,
  auth: administerStudies,
  uses: [get(ResearchExports), read(ResearchExportNotices), readFrom(ResearchExportFiles), append(AuditEvents)],
  params: z.object({ studyId: pathId(StudyNotFound), exportId: pathId(ResearchExportNotFound) }),
  response: ResearchExportWithFiles,
  errors: [StudyNotFound, ResearchExportNotFound],
});

export const ResearchExportNotice = z.object({
  exportId: Id,
  pseudonym: z.string(),
  reason: z.enum(['left', 'erased', 'amended']),
  /** What to do with the participant's rows in every copy of the export's files. */
  action: z.enum(['delete', 'keep', 'update']),
  /** The day (UTC), not the time: who leaves two studies at once would have the same one in both. */
  on: CalendarDate,
});

export const listResearchNotices = route({
  method: 'GET',
  path: '/research/studies/{studyId}/notices',
  summary: 'Which exports still contain participants who left, were erased or corrected an answer or a diary entry',
  description:
    'By export and pseudonym, for the recipients of the files (GDPR Art. 19): `delete` the rows, `keep` them, as the participant ' +
    'allowed, or `update` them from a new export. `exportId` lists those of one export.',
  applications: staff,
  auth: administerStudies,
  uses: [get(Studies), read(ResearchExportNotices)],
  params: ofStudy,
  query: z.object({ exportId: z.optional(Id) }),
  items: ResearchExportNotice,
  errors: [StudyNotFound],
});
