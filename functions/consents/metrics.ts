import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** For the `metrics` of its routes. */
export const metrics: DomainMetrics = { title: 'Consents and revocations' };
