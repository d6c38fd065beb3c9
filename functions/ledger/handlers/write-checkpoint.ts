import { earlierKeysOf } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { writeCheckpoint } from '../consumers.ts';
import { LedgerKey } from '../signing-keys.ts';
import { publishCheckpoint } from '../workflows/publish-checkpoint.ts';

/** A signed checkpoint has the real time, whatever the time machine says. */
export const handler = runOnSchedule(writeCheckpoint)(({ tables, buckets, signingKeys, where, now, log }) =>
  publishCheckpoint({
    s3: s3(),
    kms: kms(),
    table: tables.ConsentStates,
    bucket: buckets.Evidence,
    keyArn: signingKeys.LedgerKey,
    earlierKeyArns: earlierKeysOf(where, LedgerKey),
    environment: where.environment,
    now,
    log,
  }),
);
