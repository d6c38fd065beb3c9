import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { publishSleepWindowEvents } from '../consumers.ts';
import { windowEventOf } from '../rules/window-event.ts';

export const handler = consumeStream(publishSleepWindowEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: windowEventOf,
    log,
  }),
);
