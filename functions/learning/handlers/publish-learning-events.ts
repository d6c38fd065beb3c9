import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { publishLearningEvents } from '../consumers.ts';
import { completionEventOf } from '../rules/completion-event.ts';

export const handler = consumeStream(publishLearningEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: completionEventOf,
    log,
  }),
);
