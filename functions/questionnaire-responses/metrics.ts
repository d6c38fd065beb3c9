import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** How many flags nobody has acknowledged, under the dimension `application`. */
export const openFlags = 'questionnaireFlagsOpen';

export const metrics: DomainMetrics = {
  title: 'Flags of questionnaires',
  counters: { 'not acknowledged': openFlags },
};
