import { bucket } from '../../lib/contract/buckets.ts';

/** The exact texts of agreement versions. A draft can go; publishing puts its texts under a hold. */
export const AgreementContents = bucket('AgreementContents', { lock: 'legal-hold', isUploadedTo: true });
