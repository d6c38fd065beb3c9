import { consumer } from '../../lib/contract/consumer.ts';

/** A revocation has to stop something: other services learn of each change of a consent (decision 23). */

export const publishConsentEvents = consumer({
  summary: 'Tells other services of each change of a consent',
  application: 'sleepcare',
  stream: 'ConsentRecords',
  uses: { EventBus: 'publish' },
  batchSize: 100,
  // A revocation is told at once.
  windowSeconds: 0,
  retries: 10,
  // As long as the stream keeps it: a revocation that nobody hears of is worse than a late one.
  maxAgeSeconds: 86_400,
  impact: 'Other services go on processing data whose consent was revoked, unless they ask for the state themselves',
});
