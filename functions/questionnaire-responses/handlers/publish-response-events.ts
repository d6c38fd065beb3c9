import { setAsideBy } from '../../../lib/contract/metrics.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { publishResponseEvents } from '../consumers.ts';
import { amendmentsIn } from '../rules/amendment.ts';
import { completionEventOf } from '../rules/response-event.ts';

export const handler = consumeStream(publishResponseEvents)(async (records, { eventBus, queues, where, log }) => {
  // A stream has two consumers at most, and the other one counts. So this one also passes on what exports of studies
  // need.
  await sendAll(queues.ResearchExportQueue, amendmentsIn(records));
  return publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: completionEventOf,
    setAside: setAsideBy('PublishResponseEvents'),
    log,
  });
});
