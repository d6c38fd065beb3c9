import { consumer } from '../../lib/contract/consumer.ts';
import { append, continueWith, read, verifyWith } from '../../lib/contract/uses.ts';
import { LedgerKey } from '../ledger/signing-keys.ts';
import { ReceiptKey } from './signing-keys.ts';
import { PublicKeys } from './tables.ts';

/** Who signs receipts cannot say which keys do. */
export const vouchForReceiptKeys = consumer({
  summary: 'Publishes the keys that sign receipts, each vouched for by the key of the ledger',
  application: 'sleepcare',
  // A new environment, and a new generation of the key, signs no receipt before it.
  schedule: 'rate(1 minute)',
  uses: [verifyWith(ReceiptKey), continueWith(LedgerKey), read(PublicKeys), append(PublicKeys)],
  impact: 'After a rotation of the key, and in a new environment, users get no receipts',
});
