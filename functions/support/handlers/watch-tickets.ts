import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { watchTickets } from '../consumers.ts';
import { overdueTickets } from '../metrics.ts';
import { countOverdue } from '../stores/overdue.ts';
import { closeLapsed } from '../workflows/close-lapsed.ts';

export const handler = runOnSchedule(watchTickets)(async ({ tables, businessNow, remainingMs, log }) => {
  const table = tables.SupportTickets;
  const overdue = await countOverdue(tables, businessNow, remainingMs);
  log({ level: overdue > 0 ? 'WARN' : 'INFO', message: 'tickets' }, { [overdueTickets]: overdue });
  const closed = await closeLapsed(table, businessNow);
  return { overdue, closed };
});
