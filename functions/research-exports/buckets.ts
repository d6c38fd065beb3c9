import { bucket } from '../../lib/contract/buckets.ts';

/** Below `<studyId>/<exportId>/` the pages of an export while it is made, and then its files. */
export const ResearchExportFiles = bucket('ResearchExportFiles', { expiresAfterDays: 7 });
