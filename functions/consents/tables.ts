import { table } from '../../lib/contract/tables.ts';

/** Consent records; `userAgreement` is `<userId>#<agreementId>`, `recordedAt` strictly increases within it. */
export const ConsentRecords = table('ConsentRecords', {
  partitionKey: 'userAgreement',
  sortKey: 'recordedAt',
  ledger: true,
  stream: true,
  expires: true,
});

export { ConsentStates } from '../../lib/contract/consent-states.ts';
