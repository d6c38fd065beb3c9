import { tableExistsIn } from '../../../lib/contract/tables.ts';
import type { Bindings } from '../../../lib/runtime/consume.ts';
import { earlierKeysOf } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { publicKeysOf } from '../../../lib/runtime/sign.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { isHeld } from '../../erasure/exports.ts';
import { retentionYears } from '../../erasure/rules.ts';
import { TombstoneKey } from '../../erasure/signing-keys.ts';
import { datedGraceMs } from '../../product.ts';
import { Clock } from '../../time-machine/tables.ts';
import type { watchConsentReceipts, watchConsentRecords } from '../consumers.ts';
import { ImportKey } from '../signing-keys.ts';
import type { Watching } from './watch-changes.ts';

type WatchDependencies = Bindings<typeof watchConsentRecords> | Bindings<typeof watchConsentReceipts>;

/** What both watchers read: which records were released, and whether a user's data is under a hold. */
export function watchingFor({ tables, buckets, signingKeys, operators, where, now, log }: WatchDependencies): Watching {
  // In environments with the time machine, its clock dates records and ends retentions.
  const movedClock = tableExistsIn(Clock, where.environment);
  return {
    evidence: { s3: s3(), bucket: buckets.Evidence },
    keys: () => publicKeysOf(kms(), [signingKeys.TombstoneKey, ...earlierKeysOf(where, TombstoneKey)]),
    operatorKeys: () => publicKeysOf(kms(), [signingKeys.ImportKey, ...earlierKeysOf(where, ImportKey)]),
    operators: { client: sns(), topicArn: operators, environment: where.environment },
    movedClock,
    retentionYears: movedClock ? 0 : retentionYears,
    graceMs: datedGraceMs[where.environment],
    isHeld: (userId) => isHeld(tables.LegalHolds, userId),
    now,
    log,
  };
}
