import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { eventBus } from '../../lib/contract/uses.ts';
import { SleepWindows } from './tables.ts';

export const publishSleepWindowEvents = consumer({
  summary: 'Tells other services of each sleep window that was released, replaced or withdrawn',
  application: 'sleepcare',
  stream: SleepWindows,
  uses: [eventBus('publish')],
  retries: untilTooOld,
  impact: 'Other services do not learn of sleep windows; the windows themselves are untouched',
});
