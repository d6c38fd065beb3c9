import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  RequiredAgreement: {
    when: 'A revocation names an agreement with `isRequired: true`. Nothing was changed.',
    client: 'Offer the deletion of the account instead; never send a revocation of a required agreement.',
  },
  AgreementVersionsNotFound: {
    when: 'One or more of the versions are unknown, or belong to the other application. Nothing was changed.',
    client:
      'Read the list again and send only `versionId`s that are in it; `detail.versionIds` names those that are not.',
    example: { versionIds: ['marketing-9'] },
  },
  AgreementVersionNotActive: {
    when: 'A newer version took effect, or this one was withdrawn or is not in effect yet. Nothing was changed.',
    client:
      'Show the version that `detail.activeVersionId` names and ask again; null means that there is nothing to agree to.',
    example: { agreementId: 'marketing', activeVersionId: 'marketing-2' },
  },
};
