import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { publishUrgentTicketEvents } from '../consumers.ts';
import { urgentTicketEventOf } from '../rules/ticket-event.ts';

export const handler = consumeStream(publishUrgentTicketEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: urgentTicketEventOf,
    log,
  }),
);
