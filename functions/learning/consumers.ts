import { consumer } from '../../lib/contract/consumer.ts';
import { eventBus } from '../../lib/contract/uses.ts';
import { LearningProgress } from './tables.ts';

/** As long as a stream keeps a change, less an hour in which it can still be laid into the failures' bucket. */
const untilHeard = -1;
const twentyThreeHours = 82_800;

export const publishLearningEvents = consumer({
  summary: 'Tells other services of each unit of a course that a user completed',
  application: 'sleepcare',
  stream: LearningProgress,
  uses: [eventBus('publish')],
  batchSize: 100,
  windowSeconds: 0,
  retries: untilHeard,
  maxAgeSeconds: twentyThreeHours,
  impact: 'Other services do not learn which units were completed; the progress itself is untouched',
});
