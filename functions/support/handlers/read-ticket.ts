import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { TicketNotFound } from '../errors.ts';
import { readTicket } from '../routes.ts';
import { ticketForStaff } from '../rules/shown.ts';
import { readTicket as readRow } from '../stores/ticket-rows.ts';

export const handler = serveWithPrefetch(readTicket)({
  prefetch: ({ params, tables }) => readRow(tables.SupportTickets, params.ticketId),
  respond: async ({ now, fail }, ticket) =>
    ticket ? { etag: etagOf(ticket.revision), body: ticketForStaff(ticket, now) } : fail(TicketNotFound),
});
