import * as z from 'zod/mini';
import { readFrom } from '../../lib/contract/bucket-uses.ts';
import { CalendarDate, Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, get, joined, read, sendTo, verifyWith } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { knowingKeys, ReceiptWarning } from '../receipts/schemas.ts';
import { ResearchManifestKey } from '../receipts/signing-keys.ts';
import { StudyNotFound } from '../research/errors.ts';
import { administerStudies } from '../research/permissions.ts';
import { ResearchExportQueue } from '../research/queues.ts';
import { Studies } from '../research/tables.ts';
import { ResearchExportFiles } from './buckets.ts';
import { ResearchExportNotFound, ResearchExportUnderWay, StudyNotExported } from './errors.ts';
import { ResearchExportNotices, ResearchExports } from './tables.ts';

const staff = ['medinfo'] as const;
const ofStudy = z.object({ studyId: pathId(StudyNotFound) });
const time = z.nullable(Timestamp);

const said = {
  exportId: Id,
  studyId: Id,
  status: z.enum(['pending', 'running', 'done', 'failed']),
  requestedAt: Timestamp,
  /** People who joined the study later are not in the export. */
  enrolledUntil: Timestamp,
  /** Enrolments that were read so far, including those of people who left. Null if there are fewer than five. */
  enrolments: z.nullable(z.int()),
  /** Null until the export is done, and if there are fewer than five. */
  participants: z.nullable(z.int()),
  /** When the export was done or failed. */
  finishedAt: time,
  failure: z.nullable(z.enum(['SMALL_CELLS', 'TOO_MANY_PARTICIPANTS', 'GIVEN_UP'])),
};

export const ResearchExport = z.object(said);

export const ResearchExportSmallCells = z.object({
  /** For each quasi-identifier: how many times its values were made coarser. */
  levels: z.record(z.string(), z.int()),
  /** Participants for whom a value was left out. Null: one to four. */
  suppressed: z.nullable(z.int()),
  /** Participants who left or were erased after their page was read; they are not in the files. Null: one to four. */
  withdrawn: z.nullable(z.int()),
});

export const ResearchExportFile = z.object({
  name: z.string(),
  /** Null if the file can no longer be downloaded. */
  bytes: z.nullable(z.int()),
  /** Does not count the header line. Null if the file can no longer be downloaded. */
  rows: z.nullable(z.int()),
  sha256: z.string(),
  /** Null if the file can no longer be downloaded. */
  downloadUrl: z.nullable(z.string()),
});

export const ResearchExportManifest = z.object({ name: z.string(), downloadUrl: z.nullable(z.string()) });

export const ResearchExportWithFiles = z.object({
  ...said,
  smallCells: z.nullable(ResearchExportSmallCells),
  files: z.array(ResearchExportFile),
  /** `manifest.json`, and the same content as a signed file. */
  manifests: z.array(ResearchExportManifest),
  /** A participant in the files left or was erased, and recipients have to delete the participant's rows. The files can no longer be downloaded. */
  isWithdrawn: z.boolean(),
  /** Until when S3 keeps the files. */
  filesUntil: time,
  /** A download must begin before this time. */
  downloadUrlsExpireAt: time,
});

export const requestResearchExport = route({
  method: 'POST',
  path: '/research/studies/{studyId}/exports',
  summary: 'Requests the files of a study',
  description: withKeyNote(
    'The files contain the participants whose consent holds when their page is read, and the data that the server received ' +
      'while it held. `GET …/{exportId}` shows the progress. Only one export of a study is made at a time. ' +
      'The caller must have signed in within the last ten minutes.',
  ),
  applications: staff,
  auth: administerStudies,
  signedInWithinSeconds: 600,
  uses: joined(
    [get(Studies), get(ResearchExports), adjust(ResearchExports), append(AuditEvents), sendTo(ResearchExportQueue)],
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
  cursor: 'exportId',
  items: ResearchExport,
  errors: [StudyNotFound],
});

export const readResearchExport = route({
  method: 'GET',
  path: '/research/studies/{studyId}/exports/{exportId}',
  summary: 'The progress of an export, and the download links of its files',
  description:
    'Each time you read an export that is `done`, you get new download links, and an audit event is written. A link is valid for 15 minutes ' +
    'and needs no token: anybody who has the link can download the file. The files are kept for seven days. The files can no longer be ' +
    'downloaded if a participant in them is erased, or leaves without allowing exported data to be kept. Then request a new export.',
  applications: staff,
  auth: administerStudies,
  uses: [get(ResearchExports), read(ResearchExportNotices), readFrom(ResearchExportFiles), append(AuditEvents)],
  params: z.object({ studyId: pathId(StudyNotFound), exportId: pathId(ResearchExportNotFound) }),
  response: ResearchExportWithFiles,
  errors: [StudyNotFound, ResearchExportNotFound],
});

export const verifyResearchManifest = route({
  method: 'POST',
  path: '/research/manifests/verify',
  summary: 'Whether this service made an export with exactly this manifest',
  description:
    'For recipients of the files of a study: the body has the content of `manifest.jws`. `reason` is null for a valid manifest. ' +
    '`MALFORMED`: not a JWS with ES256. `WRONG_TYPE`: a signature over something else. `UNKNOWN_KEY`: signed elsewhere, in another ' +
    'environment, or with a key of receipts. `BAD_SIGNATURE`: altered. `WRONG_ISSUER`: issued by another environment. ' +
    '`NOT_EXPORTED`: there is no such finished export. `CLAIMS_DIFFER`: a claim differs from the export, and `differs` names each such ' +
    'claim; compare the files with the SHA-256 in a valid manifest only. `warning` is not null if the key was revoked since then.',
  applications: staff,
  auth: 'public',
  uses: joined([get(ResearchExports), verifyWith(ResearchManifestKey)], knowingKeys),
  body: z.object({ manifest: z.string() }),
  response: z.object({
    valid: z.boolean(),
    reason: z.nullable(
      z.enum([
        'MALFORMED',
        'WRONG_TYPE',
        'UNKNOWN_KEY',
        'BAD_SIGNATURE',
        'WRONG_ISSUER',
        'NOT_EXPORTED',
        'CLAIMS_DIFFER',
      ]),
    ),
    /** Paths, as `study.title`. */
    differs: z.array(z.string()),
    warning: z.nullable(ReceiptWarning),
  }),
  errors: [],
});

export const ResearchExportNotice = z.object({
  exportId: Id,
  pseudonym: z.string(),
  reason: z.enum(['left', 'erased', 'amended']),
  /** What to do with the participant's rows in every copy of the export's files. */
  action: z.enum(['delete', 'keep', 'update']),
  /** The day (UTC) and not the time: somebody who leaves two studies at once would have the same time in both. */
  on: CalendarDate,
});

export const listResearchNotices = route({
  method: 'GET',
  path: '/research/studies/{studyId}/notices',
  summary: 'Which exports still contain participants who left, were erased or corrected an answer or a diary entry',
  description:
    'For each export and pseudonym, what the recipients of the files have to do (GDPR Art. 19): `delete` the rows, `keep` them ' +
    'because the participant allowed it, or `update` them from a new export. Use `exportId` to list the notices of one export.',
  applications: staff,
  auth: administerStudies,
  uses: [get(Studies), read(ResearchExportNotices)],
  params: ofStudy,
  query: z.object({ exportId: z.optional(Id) }),
  cursor: 'noticeKey',
  items: ResearchExportNotice,
  errors: [StudyNotFound],
});
