import type * as errors from '../../../functions/consents/errors.ts';
import type { GuideTo } from '../../../lib/contract/errors.ts';

// @ts-expect-error TS2741: Property 'AgreementVersionNotActive' is missing
export const guide: GuideTo<typeof errors> = {
  AgreementVersionsNotFound: { when: 'They are unknown.', client: 'Read the list again.', example: { versionIds: [] } },
  RequiredAgreement: { when: 'The agreement is required.', client: 'Lead the user to the deletion of the account.' },
};
