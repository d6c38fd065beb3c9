import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { eventBus } from '../../lib/contract/uses.ts';
import { LearningProgress } from './tables.ts';

export const publishLearningEvents = consumer({
  summary: 'Tells other services of each unit of a course that a user completed',
  application: 'sleepcare',
  stream: LearningProgress,
  uses: [eventBus('publish')],
  retries: untilTooOld,
  impact: 'Other services do not learn which units were completed; the progress itself is untouched',
});
