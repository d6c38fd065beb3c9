import type { SigningKey } from '../../../lib/contract/signing-keys.ts';
import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { earlierKeysOf } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { publicKeysOf } from '../../../lib/runtime/sign.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { isHeld } from '../../erasure/exports.ts';
import { retentionYears } from '../../erasure/rules.ts';
import { TombstoneKey } from '../../erasure/signing-keys.ts';
import { tellFindings } from '../../evidence/exports.ts';
import { datedGraceMs } from '../../product.ts';
import { Clock } from '../../time-machine/tables.ts';
import { checkLedger } from '../consumers.ts';
import { checkAll } from '../jobs/check-all.ts';
import { ledgerMetrics } from '../metrics.ts';
import { ImportKey, LedgerKey } from '../signing-keys.ts';

export const handler = runOnSchedule(checkLedger)(async (deps) => {
  const { tables, buckets, signingKeys, operators, where, now, log, remainingMs } = deps;
  // In environments with the time machine, its clock dates records and ends retentions.
  const movedClock = tableExistsIn(Clock, where.environment);
  const keysOf = (arn: string, key: SigningKey) => publicKeysOf(kms(), [arn, ...earlierKeysOf(where, key)]);
  const { findings, lines, ...figures } = await checkAll(
    {
      tables,
      evidence: { s3: s3(), bucket: buckets.Evidence },
      keys: await keysOf(signingKeys.LedgerKey, LedgerKey),
      importKeys: await keysOf(signingKeys.ImportKey, ImportKey),
      tombstoneKeys: await keysOf(signingKeys.TombstoneKey, TombstoneKey),
      environment: where.environment,
      movedClock,
      retentionYears: movedClock ? 0 : retentionYears,
      graceMs: datedGraceMs[where.environment],
      isHeld: (userId) => isHeld(tables.LegalHolds, userId),
      now,
    },
    remainingMs,
  );
  for (const finding of lines) log({ level: 'ERROR', message: 'a finding in the ledger', finding });
  log({ level: 'INFO', message: 'checked' }, { [ledgerMetrics.findings]: findings });
  await tellFindings(
    { client: sns(), topicArn: operators, environment: where.environment },
    { subject: 'the consent ledger', lines, where: 'What to do: docs/runbook.md#check-ledger-found' },
  );
  return { ...figures, findings };
});
