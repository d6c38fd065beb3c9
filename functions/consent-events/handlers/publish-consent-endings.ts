import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishConsentEndings } from '../consumers.ts';
import { accountEventOf } from '../rules/ending-event.ts';
import { publishEvents } from '../stores/event-bus.ts';

export const handler = consumeStream(publishConsentEndings)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: accountEventOf,
    log,
  }),
);
