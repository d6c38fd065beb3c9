import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** How many tickets wait for an answer or a solution longer than they should, under the dimension `application`. */
export const overdueTickets = 'supportTicketsOverdue';

/** How many urgent tickets nobody has acknowledged that `clinical-safety` has to see to, under the dimension `application`. */
export const unacknowledgedTickets = 'urgentTicketsUnacknowledged';

export const metrics: DomainMetrics = {
  title: 'Tickets of the support',
  counters: { overdue: overdueTickets, 'urgent and not acknowledged': unacknowledgedTickets },
};
