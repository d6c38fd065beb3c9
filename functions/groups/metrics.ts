import { type DomainMetrics, leftForRetry } from '../../lib/contract/metrics.ts';

const posted = 'groupMessagesPosted';
const skipped = 'groupMessagesSkipped';

/** What became of members' messages, under the dimension `application`. Skipped: without consent, closed, or no member any more. */
export const groupMetrics = { posted, skipped } as const;

export const metrics: DomainMetrics = {
  title: 'Messages to groups',
  counters: { posted, skipped, 'attempts failed': leftForRetry },
};
