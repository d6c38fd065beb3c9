import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { TicketNotFound } from '../errors.ts';
import { listTicketComments } from '../routes.ts';
import { commentForStaff } from '../rules/shown.ts';
import { readComments, readTicket } from '../stores/ticket-rows.ts';

export const handler = serveWithPrefetch(listTicketComments)({
  prefetch: ({ params: { ticketId }, page, tables: { SupportTickets: table } }) => {
    return Promise.all([readTicket(table, ticketId), readComments(table, { ticketId, of: 'all' }, page)]);
  },
  respond: async ({ fail }, [ticket, { found, next }]) => {
    if (!ticket) return fail(TicketNotFound);
    return { items: found.map(commentForStaff), next };
  },
});
