import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** By itself: esbuild keeps a declaration that reads a property. */
export const ledgerFindings = 'ledgerFindings';
export const unreadablePointers = 'ledgerPointersUnreadable';

export const ledgerMetrics = {
  tampered: 'ledgerRecordsTamperedWith',
  receiptsTampered: 'storedReceiptsTamperedWith',
  pointersTampered: 'consentPointersTamperedWith',
  findings: ledgerFindings,
  unreadable: unreadablePointers,
} as const;

export const metrics: DomainMetrics = {
  title: 'Consent ledger',
  counters: {
    'records tampered with': ledgerMetrics.tampered,
    'receipts tampered with': ledgerMetrics.receiptsTampered,
    'pointers tampered with': ledgerMetrics.pointersTampered,
    findings: ledgerMetrics.findings,
    'pointers unreadable': ledgerMetrics.unreadable,
  },
};
