import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** The number of findings of the daily check. */
export const irregularErasures = 'irregularErasures';

export const metrics: DomainMetrics = { title: 'Erasures', counters: { 'not as they should be': irregularErasures } };
