import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { watchUrgentTickets } from '../consumers.ts';
import { unacknowledgedTickets } from '../metrics.ts';
import { countForSafety } from '../stores/urgent-rows.ts';

export const handler = runOnSchedule(watchUrgentTickets)(async ({ tables, businessNow, log }) => {
  const open = await countForSafety(dynamo(), tables.SupportTickets, businessNow);
  log({ level: open > 0 ? 'WARN' : 'INFO', message: 'urgent tickets' }, { [unacknowledgedTickets]: open });
  return { open };
});

await initialize(watchUrgentTickets);
