import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** How many tickets wait for an answer or a solution longer than they should, under the dimension `application`. */
export const overdueTickets = 'supportTicketsOverdue';

/** How many urgent tickets nobody has acknowledged that `clinical-safety` has to see to, under the dimension `application`. */
export const unacknowledgedTickets = 'urgentTicketsUnacknowledged';

/** What the comparison of answers, flags and tickets found, of each quarter of an hour and of each day. */
export const flagsDiffer = 'flagsAndTicketsDiffer';
export const answersDiffer = 'answersAndFlagsDiffer';

export const metrics: DomainMetrics = {
  title: 'Tickets of the support',
  counters: {
    overdue: overdueTickets,
    'urgent and not acknowledged': unacknowledgedTickets,
    'flags and tickets that differ': flagsDiffer,
    'answers and flags that differ': answersDiffer,
  },
};
