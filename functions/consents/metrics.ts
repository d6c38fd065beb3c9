import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** Of its routes' `metrics`. */
export const metrics: DomainMetrics = { title: 'Consents and revocations' };
