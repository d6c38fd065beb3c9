import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { ExportRow, Latest, PageRow } from './rules/export.ts';
import type { ExportedParticipant, Notice } from './rules/notice.ts';

/**
 * The exports of a study by `exportId`, which increases with time. The row `~latest` comes after them and names the last export.
 * Exports are kept for good, because recipients may still have their files.
 */
export const ResearchExports = table<ExportRow | Latest>()('ResearchExports', {
  partitionKey: 'studyId',
  sortKey: 'exportId',
  // Of a request. Only the function that makes the export writes its design and its progress.
  adjustable: ['latestId', 'requestedAt', 'enrolledUntil'],
});
export type ResearchExports<A extends Action> = Handle<typeof ResearchExports, A>;

/** Which pages of an export are in the bucket. The transaction that makes the step to the next page writes the row. */
export const ResearchExportPages = table<PageRow>()('ResearchExportPages', {
  partitionKey: 'exportKey',
  sortKey: 'page',
  expires: true,
});
export type ResearchExportPages<A extends Action> = Handle<typeof ResearchExportPages, A>;

/**
 * Which exports a participant is in, by study and pseudonym. The row is written with the page, so every participant in a file has
 * one. It has no user id: a user's rows can be found only with the key of the study.
 */
export const ResearchExportContents = table<ExportedParticipant>()('ResearchExportContents', {
  partitionKey: 'participantKey',
  sortKey: 'exportId',
});
export type ResearchExportContents<A extends Action> = Handle<typeof ResearchExportContents, A>;

/** Which exports still contain a participant who left, was erased or corrected an answer or a diary entry, by pseudonym. */
export const ResearchExportNotices = table<Notice>()('ResearchExportNotices', {
  partitionKey: 'studyId',
  sortKey: 'noticeKey',
});
export type ResearchExportNotices<A extends Action> = Handle<typeof ResearchExportNotices, A>;
