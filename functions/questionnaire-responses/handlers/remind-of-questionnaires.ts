import { describeError } from '../../../lib/runtime/log.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { remindOfQuestionnaires } from '../consumers.ts';
import { failedReminders } from '../metrics.ts';
import { entitlementReader, startReader } from '../stores/entitlements.ts';
import { runStore } from '../stores/window-runs.ts';
import { remind } from '../workflows/remind.ts';

export const handler = runOnSchedule(remindOfQuestionnaires)(async ({ tables, businessNow, remainingMs, log }) => {
  const { failures, ...run } = await remind({
    ...{ tables, now: businessNow, remainingMs },
    startedOn: startReader(tables),
    entitlements: entitlementReader(tables, businessNow),
    runs: runStore(tables),
  });
  const failed = failures.length;
  const names = [...new Set(failures.map((error) => describeError(error).name))];
  log({ level: failed > 0 ? 'WARN' : 'INFO', message: 'reminders', names }, { [failedReminders]: failed });
  return { ...run, failed };
});
