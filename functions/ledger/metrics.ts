import type { DomainMetrics } from '../../lib/contract/metrics.ts';

export const ledgerMetrics = {
  tampered: 'ledgerRecordsTamperedWith',
  findings: 'ledgerFindings',
  unreadable: 'ledgerPointersUnreadable',
} as const;

export const metrics: DomainMetrics = {
  title: 'Consent ledger',
  counters: {
    'records tampered with': ledgerMetrics.tampered,
    findings: ledgerMetrics.findings,
    'pointers unreadable': ledgerMetrics.unreadable,
  },
};
