import { appendTo, readBelow } from '../../lib/contract/bucket-uses.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { continueWith, verifyWith } from '../../lib/contract/uses.ts';
import { Evidence } from '../evidence/buckets.ts';
import { keysPrefix, revocationsPrefix } from './buckets.ts';
import { foreignReceiptKeys } from './metrics.ts';
import { ReceiptKey, RevocationKey, VouchingKey } from './signing-keys.ts';

/** A role that signs receipts cannot decide which keys count. */
export const vouchForReceiptKeys = consumer({
  summary: 'Publishes the keys that sign receipts, each in a statement signed by a key that signs nothing else',
  application: 'sleepcare',
  // A new environment, or a new generation of the key, signs no receipt before this function has run.
  schedule: 'rate(1 minute)',
  uses: [verifyWith(ReceiptKey), continueWith(VouchingKey), appendTo(Evidence, keysPrefix)],
  impact: 'After a rotation of the key, and in a new environment, users get no receipts',
});

/** Under its own role, which can neither sign nor write anything. */
export const watchReceiptKeys = consumer({
  summary: 'Raises an alarm for a key of receipts that KMS does not have, and for a revocation that no operator signed',
  application: 'sleepcare',
  schedule: 'rate(5 minutes)',
  uses: [
    verifyWith(ReceiptKey),
    verifyWith(VouchingKey),
    verifyWith(RevocationKey),
    readBelow(Evidence, keysPrefix),
    readBelow(Evidence, revocationsPrefix),
  ],
  alarm: {
    metric: foreignReceiptKeys,
    impact: 'Somebody with the rights of a function signed a statement for a receipt key that no rotation made',
  },
  impact: 'A foreign key among the receipt keys would be found only by verify-ledger',
});
