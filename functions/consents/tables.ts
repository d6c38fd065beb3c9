import { table } from '../../lib/contract/tables.ts';

/** Consent records; `userAgreement` is `<userId>#<agreementId>`, `recordedAt` strictly increases within it. */
export const ConsentRecords = table('ConsentRecords', {
  partitionKey: 'userAgreement',
  sortKey: 'recordedAt',
  ledger: {
    attributes: [
      'userAgreement',
      'recordedAt',
      'userId',
      'agreementId',
      'sequence',
      'recordId',
      'action',
      'versionId',
      'contentHash',
      'locale',
      'localeSource',
      'appVersion',
      'requestId',
      'source',
      'previousHash',
      'hash',
    ],
  },
  stream: true,
  expires: true,
});

export { ConsentStates } from '../access/consent-states.ts';
