import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { TicketNotFound } from '../errors.ts';
import { readOwnTicket } from '../routes.ts';
import { ownTicket } from '../rules/shown.ts';
import { readTicket } from '../stores/ticket-rows.ts';

export const handler = serveInSteps(readOwnTicket)({
  read: ({ params, tables }) => readTicket(tables.SupportTickets, params.ticketId),
  answer: async ({ caller, now, fail }, ticket) =>
    ticket?.userId === caller.userId ? ownTicket(ticket, now) : fail(TicketNotFound),
});
