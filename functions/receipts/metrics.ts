import type { DomainMetrics } from '../../lib/contract/metrics.ts';

/** How many foreign objects were put among the receipt keys within the last day, under the dimension `application`. */
export const foreignReceiptKeys = 'receiptKeysForeign';

export const metrics: DomainMetrics = {
  title: 'Keys of receipts',
  counters: { 'none of ours': foreignReceiptKeys },
};
