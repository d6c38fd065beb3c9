import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { ReceiptRow } from './rules/stored-receipt.ts';

/** The signed receipt of a record, under the record's own key. It exists after the first request for it. */
export const ConsentReceipts = table<ReceiptRow>()('ConsentReceipts', {
  partitionKey: 'userAgreement',
  sortKey: 'recordedAt',
  expires: true,
  stream: true,
  // It is deleted with its record, when the expiry role decides.
  ledger: { attributes: ['userAgreement', 'recordedAt', 'receiptId', 'issuedAt', 'receipt'] },
});
export type ConsentReceipts<A extends Action> = Handle<typeof ConsentReceipts, A>;
