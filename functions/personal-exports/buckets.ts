import { bucket } from '../../lib/contract/buckets.ts';

/** Below `<userId>/<exportId>/` the parts of an export while it is made, and then its ZIP. */
export const PersonalExportFiles = bucket('PersonalExportFiles', { expiresAfterDays: 7 });
