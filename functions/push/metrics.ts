import { type DomainMetrics, leftForRetry } from '../../lib/contract/metrics.ts';

const sent = 'pushesSent';
const skipped = 'pushesSkipped';

/** What became of pushes, under the dimension `application`. Skipped: out of date, or the device cannot be reached. */
export const pushMetrics = { sent, skipped } as const;

export const metrics: DomainMetrics = {
  title: 'Pushes',
  counters: { sent, skipped, 'attempts failed': leftForRetry },
};
