import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  AgreementRequired: {
    when: 'A revocation names an agreement with `isRequired: true`. Nothing was changed.',
    client: 'Lead the user to the deletion of the account; never call the revocation for a required agreement.',
  },
  AgreementVersionsNotFound: {
    when: 'One or more of the versions to be agreed to are unknown, or the other application’s. Nothing was changed.',
    client: 'Read the list again and send the `versionId`s that it has; `detail.versionIds` are those that it has not.',
    example: { versionIds: ['marketing-9'] },
  },
  AgreementVersionNotActive: {
    when: 'A newer version took effect, or this one was withdrawn or is not in effect yet. Nothing was changed.',
    client: 'Show the version that `detail.activeVersionId` names and ask again; null: there is nothing to agree to.',
    example: { agreementId: 'marketing', activeVersionId: 'marketing-2' },
  },
};
