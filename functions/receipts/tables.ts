import { table } from '../../lib/contract/tables.ts';

/** The signed receipt of a record, under the record's own key, once somebody asked for it. */
export const ConsentReceipts = table('ConsentReceipts', {
  partitionKey: 'userAgreement',
  sortKey: 'recordedAt',
  expires: true,
  stream: true,
  // It goes with its record, when the expiry role says so.
  ledger: { attributes: ['userAgreement', 'recordedAt', 'receiptId', 'issuedAt', 'receipt'] },
});
