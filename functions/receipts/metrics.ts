import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** How many objects of the last day among the receipts' keys are none of ours, under the dimension `application`. */
export const foreignReceiptKeys = 'receiptKeysForeign';

export const metrics: DomainMetrics = {
  title: 'Keys of receipts',
  counters: { 'none of ours': foreignReceiptKeys },
};
