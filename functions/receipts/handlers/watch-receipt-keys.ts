import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { tellFindings } from '../../evidence/exports.ts';
import { watchReceiptKeys } from '../consumers.ts';
import { trustOf } from '../stores/kept-keys.ts';
import { watchKeys } from '../workflows/watch-keys.ts';

export const handler = runOnSchedule(watchReceiptKeys)(async (deps) => {
  const evidence = { s3: s3(), bucket: deps.buckets.Evidence };
  const operators = { client: sns(), topicArn: deps.operators, environment: deps.where.environment };
  const where = 'What to do: docs/runbook.md#watch-receipt-keys-found';
  const tell = (lines: readonly string[]) => tellFindings(operators, { subject: 'receipt keys', lines, where });
  return watchKeys(evidence, await trustOf(deps), { ...deps, tell });
});
