import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { TicketNotFound } from '../errors.ts';
import { readOwnTicket } from '../routes.ts';
import { ownTicket } from '../rules/shown.ts';
import { readTicket } from '../stores/ticket-rows.ts';

export const handler = serveWithPrefetch(readOwnTicket)({
  prefetch: ({ params, tables }) => readTicket(tables.SupportTickets, params.ticketId),
  respond: async ({ caller, now, fail }, ticket) =>
    ticket?.userId === caller.userId ? ownTicket(ticket, now) : fail(TicketNotFound),
});
