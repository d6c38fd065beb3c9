import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { remindOfQuestionnaires } from '../consumers.ts';
import { startReader } from '../stores/entitlements.ts';
import { remind } from '../workflows/remind.ts';

export const handler = runOnSchedule(remindOfQuestionnaires)(async ({ tables, businessNow, remainingMs }) => {
  const client = dynamo();
  const startedOn = startReader(client, tables, businessNow);
  return remind({ client, tables, now: businessNow, startedOn, remainingMs });
});

await initialize(remindOfQuestionnaires);
