import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { publishTicketEvents } from '../consumers.ts';
import { ticketEventOf } from '../rules/ticket-event.ts';

export const handler = consumeStream(publishTicketEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: ticketEventOf,
    log,
  }),
);
