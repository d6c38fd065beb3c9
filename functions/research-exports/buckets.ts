import { bucket } from '../../lib/contract/buckets.ts';

/** `<studyId>/<exportId>/` has the pages of an export while it is made, and its files afterwards. */
export const ResearchExportFiles = bucket('ResearchExportFiles', { expiresAfterDays: 7 });
