import { table } from '../../lib/contract/tables.ts';

/** The signed receipt of a record, under the record's own key, once somebody asked for it. */
export const ConsentReceipts = table('ConsentReceipts', {
  partitionKey: 'userAgreement',
  sortKey: 'recordedAt',
  expires: true,
});

/** The public parts of the keys that receipts were ever signed with, retired ones included. */
export const PublicKeys = table('PublicKeys', {
  partitionKey: 'purpose',
  sortKey: 'keyId',
  ledger: { attributes: ['purpose', 'keyId', 'jwk', 'publishedAt', 'statement'] },
});
