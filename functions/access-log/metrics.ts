import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** By itself: esbuild keeps a declaration that reads a property. */
export const accessLogTamperedWith = 'accessLogTamperedWith';

export const metrics: DomainMetrics = {
  title: 'Access log',
  counters: { 'looks tampered with': accessLogTamperedWith },
};
