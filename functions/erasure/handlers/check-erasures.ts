import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { tellFindings } from '../../evidence/exports.ts';
import { datedGraceMs, deletionGraceDays } from '../../product.ts';
import { checkErasures } from '../consumers.ts';
import { irregularErasures } from '../metrics.ts';
import { isClosed } from '../stores/account-rows.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';
import { isHeld } from '../stores/hold-rows.ts';
import { checkEvidence } from '../workflows/check-evidence.ts';
import { isReleasing } from '../workflows/releasing.ts';

/** The run ended before it had read all requests; nobody has checked the others. */
class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

const enoughMs = 20_000;

export const handler = runOnSchedule(checkErasures)(async (deps) => {
  const { tables, buckets, operators, where, now, log, remainingMs } = deps;
  const bucket = { s3: s3(), bucket: buckets.Evidence };
  const releasing = { tables, bucket, now: now() };
  const { findings, isComplete, ...figures } = await checkEvidence({
    bucket,
    isHeld: (userId) => isHeld(tables.LegalHolds, userId),
    hasReleaseOrHold: (userId, erasedAt) => isReleasing(releasing, userId, erasedAt),
    graceMs: datedGraceMs[where.environment],
    dueMs: deletionGraceDays[where.environment] * 86_400_000,
    now: now(),
    isEnforced: async (userId, requestedAt) => {
      const erasure = await readErasureRow(tables.Erasures, userId);
      return erasure?.requestedAt === requestedAt && (await isClosed(tables.Accounts, erasure));
    },
    hasTime: () => remainingMs() >= enoughMs,
  });
  for (const finding of findings) log({ level: 'ERROR', message: 'an erasure is not as it should be', finding });
  log({ level: 'INFO', message: 'checked' }, { [irregularErasures]: findings.length });
  await tellFindings(
    { client: sns(), topicArn: operators, environment: where.environment },
    { subject: 'erasures', lines: findings, where: 'What to do: docs/runbook.md#check-erasures-found' },
  );
  // Thrown last, so that the findings are reported first.
  if (!isComplete) throw new NotChecked();
  return { ...figures, findings: findings.length };
});
