import { consumer } from '../../lib/contract/consumer.ts';
import { eventBus } from '../../lib/contract/uses.ts';
import { SleepWindows } from './tables.ts';

/** One hour less than a stream keeps a change. In this hour the change can still be stored in the failures' bucket. */
const untilHeard = -1;
const twentyThreeHours = 82_800;

export const publishSleepWindowEvents = consumer({
  summary: 'Tells other services of each sleep window that was released, replaced or withdrawn',
  application: 'sleepcare',
  stream: SleepWindows,
  uses: [eventBus('publish')],
  batchSize: 100,
  windowSeconds: 0,
  retries: untilHeard,
  maxAgeSeconds: twentyThreeHours,
  impact: 'Other services do not learn of sleep windows; the windows themselves are untouched',
});
