import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** By itself: esbuild keeps a declaration that reads a property. */
export const auditEventsTamperedWith = 'auditEventsTamperedWith';

export const metrics: DomainMetrics = {
  title: 'Audit events',
  counters: { 'events tampered with': auditEventsTamperedWith },
};
