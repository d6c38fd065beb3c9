import { readCompact } from '../../../lib/runtime/jws.ts';
import { ConsentRecords } from '../../consents/tables.ts';
import { changesPrefix, receiptChangesPrefix } from '../../evidence/buckets.ts';
import { ConsentReceipts } from '../../receipts/tables.ts';
import { ledgerMetrics } from '../metrics.ts';
import { judgeChange, judgeReceiptChange } from '../rules/watched-change.ts';
import type { Watched } from './watch-changes.ts';

export const watchedRecords: Watched = {
  judge: (change, { movedClock }) => {
    const attributes = ConsentRecords.ledger?.attributes ?? [];
    return judgeChange(change, { attributes, movedClock });
  },
  prefix: changesPrefix,
  metric: ledgerMetrics.tampered,
  message: 'a forbidden change of the ledger',
  subject: 'consent records tampered with',
  runbook: 'ledger-records-tampered-with',
};

export const watchedReceipts: Watched = {
  judge: (change) =>
    judgeReceiptChange(change, { attributes: ConsentReceipts.ledger?.attributes ?? [], read: readCompact }),
  prefix: receiptChangesPrefix,
  metric: ledgerMetrics.receiptsTampered,
  message: 'a forbidden change of a stored receipt',
  subject: 'stored receipts tampered with',
  runbook: 'stored-receipts-tampered-with',
};
