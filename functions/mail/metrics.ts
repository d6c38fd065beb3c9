import { type DomainMetrics, leftForRetry } from '../../lib/contract/metrics.ts';

const sent = 'mailsSent';
const skipped = 'mailsSkipped';
const limited = 'mailsLimited';

/** What became of mails, under the dimension `application`. Limited: the address had its five of the hour. */
export const mailMetrics = { sent, skipped, limited } as const;

export const metrics: DomainMetrics = {
  title: 'Mails',
  counters: { sent, skipped, limited, 'attempts failed': leftForRetry },
};
