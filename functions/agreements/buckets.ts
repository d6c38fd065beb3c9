import { bucket } from '../../lib/contract/buckets.ts';

/** The exact texts of agreement versions. The texts of a draft can be deleted; publishing puts them under a legal hold. */
export const AgreementContents = bucket('AgreementContents', { lock: 'legal-hold', isUploadedTo: true });
