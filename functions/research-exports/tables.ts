import { table } from '../../lib/contract/tables.ts';

/**
 * The exports of a study by `exportId`, which increases with time; after them, under `~latest`, which one was the last. They are
 * kept, since who has their files is to be found.
 */
export const ResearchExports = table('ResearchExports', { partitionKey: 'studyId', sortKey: 'exportId' });

/** Which pages of an export lie in the bucket: a row is put with the step from a page to the next one. */
export const ResearchExportPages = table('ResearchExportPages', {
  partitionKey: 'exportKey',
  sortKey: 'page',
  expires: true,
});

/**
 * Which exports a participant is in, by study and pseudonym; put with the page, so that none is in a file and not here. No user id
 * is in it: only with the key of the study does anybody find a user's rows.
 */
export const ResearchExportContents = table('ResearchExportContents', {
  partitionKey: 'participantKey',
  sortKey: 'exportId',
});

/** Which exports still contain somebody who left, was erased or corrected an answer or a diary entry, by pseudonym. */
export const ResearchExportNotices = table('ResearchExportNotices', { partitionKey: 'studyId', sortKey: 'noticeKey' });
