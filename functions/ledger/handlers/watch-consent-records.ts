import { Clock, datedGraceMs } from '../../../lib/contract/clock.ts';
import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { earlierKeysOf } from '../../../lib/runtime/environment.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { publicKeysOf } from '../../../lib/runtime/sign.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { ConsentRecords } from '../../consents/tables.ts';
import { isHeld } from '../../erasure/exports.ts';
import { retentionYears } from '../../erasure/rules/erasure.ts';
import { watchConsentRecords } from '../consumers.ts';
import { ImportKey, TombstoneKey } from '../signing-keys.ts';
import { watchChanges } from '../workflows/watch-changes.ts';

export const handler = consumeStream(watchConsentRecords)((records, bindings) => {
  const { tables, buckets, signingKeys, operators, where, now, log } = bindings;
  // Where the time machine is, it dates records and ends retentions.
  const movedClock = tableExistsIn(Clock, where.environment);
  return watchChanges(records, {
    evidence: { s3: s3(), bucket: buckets.Evidence },
    keys: () => publicKeysOf(kms(), [signingKeys.TombstoneKey, ...earlierKeysOf(where, TombstoneKey)]),
    operatorKeys: () => publicKeysOf(kms(), [signingKeys.ImportKey, ...earlierKeysOf(where, ImportKey)]),
    attributes: ConsentRecords.ledger?.always ?? ConsentRecords.ledger?.attributes ?? [],
    operators: { client: sns(), topicArn: operators, environment: where.environment },
    movedClock,
    retentionYears: movedClock ? 0 : retentionYears,
    graceMs: datedGraceMs(where.environment),
    isHeld: (userId) => isHeld(dynamo(), tables.LegalHolds, userId),
    now,
    log,
  });
});

await initialize(watchConsentRecords);
