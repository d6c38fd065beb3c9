import { Accounts } from '../../lib/contract/accounts.ts';
import { appendTo, readBelow } from '../../lib/contract/bucket-uses.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { append, check, continueWith, get, joined, read, tellOperators, verifyWith } from '../../lib/contract/uses.ts';
import { Agreements } from '../agreements/tables.ts';
import { ConsentRecords } from '../consents/tables.ts';
import { Evidence } from '../evidence/buckets.ts';
import { keysPrefix, revocationsPrefix } from './buckets.ts';
import { foreignReceiptKeys } from './metrics.ts';
import { SignReceipt } from './procedures.ts';
import { knowingKeys } from './schemas.ts';
import { ReceiptKey, ResearchManifestKey, RevocationKey, VouchingKey } from './signing-keys.ts';
import { ConsentReceipts } from './tables.ts';

/** The only function that signs receipts. It reads the record itself, so its callers decide nothing that a receipt says. */
export const signReceipt = consumer({
  summary: 'Signs the receipt of a consent record at the first request for it',
  application: 'all',
  procedure: SignReceipt,
  uses: joined(
    [
      get(ConsentRecords),
      get(ConsentReceipts),
      append(ConsentReceipts),
      read(Agreements),
      check(Accounts),
      continueWith(ReceiptKey),
    ],
    knowingKeys,
  ),
  impact: 'Users get no receipt of a consent that has none yet; stored receipts are still returned',
});

/** A role that signs receipts cannot decide which keys count. */
export const vouchForReceiptKeys = consumer({
  summary:
    'Publishes the keys that sign receipts and manifests of research exports, each in a statement signed by a key that signs nothing else',
  application: 'sleepcare',
  // A new environment, or a new generation of the key, signs no receipt before this function has run.
  schedule: 'rate(1 minute)',
  uses: [
    verifyWith(ReceiptKey),
    verifyWith(ResearchManifestKey),
    continueWith(VouchingKey),
    appendTo(Evidence, keysPrefix),
  ],
  impact: 'After a rotation of the key, and in a new environment, users get no receipts, and manifests do not verify',
});

/** Under its own role, which can neither sign nor write anything. */
export const watchReceiptKeys = consumer({
  summary:
    'Raises an alarm for a key of receipts or manifests that KMS does not have, and for a revocation that no operator signed',
  application: 'sleepcare',
  schedule: 'rate(5 minutes)',
  uses: [
    verifyWith(ReceiptKey),
    verifyWith(ResearchManifestKey),
    verifyWith(VouchingKey),
    verifyWith(RevocationKey),
    readBelow(Evidence, keysPrefix),
    readBelow(Evidence, revocationsPrefix),
    tellOperators(),
  ],
  alarm: {
    metric: foreignReceiptKeys,
    impact: 'Somebody with the rights of a function signed a statement for a receipt key that no rotation made',
  },
  impact: 'A foreign key among the receipt keys would be found only by verify-ledger',
});
