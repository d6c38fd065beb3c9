import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { remindOfQuestionnaires } from '../consumers.ts';
import { startReader } from '../stores/entitlements.ts';
import { remind } from '../workflows/remind.ts';

export const handler = runOnSchedule(remindOfQuestionnaires)(async ({ tables, businessNow, remainingMs }) => {
  const client = dynamo();
  return remind({ client, tables, now: businessNow, startedOn: startReader(client, tables), remainingMs });
});

await initialize(remindOfQuestionnaires);
