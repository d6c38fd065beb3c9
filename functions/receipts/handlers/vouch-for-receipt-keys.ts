import { earlierKeysOf } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { vouchForReceiptKeys } from '../consumers.ts';
import { ReceiptKey, ResearchManifestKey, VouchingKey } from '../signing-keys.ts';
import { vouchForKeys } from '../workflows/vouch-for-keys.ts';

export const handler = runOnSchedule(vouchForReceiptKeys)(({ buckets, signingKeys, where }) =>
  vouchForKeys({
    evidence: { s3: s3(), bucket: buckets.Evidence },
    kms: kms(),
    environment: where.environment,
    vouchingKeyArns: [signingKeys.VouchingKey, ...earlierKeysOf(where, VouchingKey)],
    receiptKeyArns: [...earlierKeysOf(where, ReceiptKey), signingKeys.ReceiptKey],
    manifestKeyArns: [...earlierKeysOf(where, ResearchManifestKey), signingKeys.ResearchManifestKey],
  }),
);
