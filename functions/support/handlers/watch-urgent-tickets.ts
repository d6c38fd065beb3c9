import { describeError } from '../../../lib/runtime/log.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { watchUrgentTickets } from '../consumers.ts';
import { unacknowledgedTickets } from '../metrics.ts';
import { countForSafety } from '../stores/urgent-rows.ts';
import { escalateUnattendedTickets } from '../workflows/escalate-unattended-tickets.ts';
import { dependenciesOf } from '../workflows/open-urgent-ticket.ts';

export const handler = runOnSchedule(watchUrgentTickets)(async ({ tables, businessNow, remainingMs, log }) => {
  // Before the count, so that the alarm has them at once.
  const { moved, failures } = await escalateUnattendedTickets(dependenciesOf(tables, log, businessNow), {
    now: businessNow,
    remainingMs,
  });
  const open = await countForSafety(tables.UrgentTickets, businessNow);
  log({ level: open > 0 ? 'WARN' : 'INFO', message: 'urgent tickets' }, { [unacknowledgedTickets]: open });
  const [first] = failures;
  if (failures.length > 0) {
    log({
      level: 'WARN',
      message: 'urgent tickets not handed over',
      failed: failures.length,
      error: describeError(first),
    });
    throw first;
  }
  return { open, handedOver: moved };
});
