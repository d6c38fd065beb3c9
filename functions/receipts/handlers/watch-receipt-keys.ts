import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { watchReceiptKeys } from '../consumers.ts';
import { trustOf } from '../stores/kept-keys.ts';
import { watchKeys } from '../workflows/watch-keys.ts';

export const handler = runOnSchedule(watchReceiptKeys)(async (reach) => {
  const evidence = { s3: s3(), bucket: reach.buckets.Evidence };
  return watchKeys(evidence, await trustOf(reach), reach);
});
