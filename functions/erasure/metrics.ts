import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** What the daily check found. */
export const irregularErasures = 'irregularErasures';

export const metrics: DomainMetrics = { title: 'Erasures', counters: { 'not as they should be': irregularErasures } };
