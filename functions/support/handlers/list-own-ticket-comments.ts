import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { TicketNotFound } from '../errors.ts';
import { listOwnTicketComments } from '../routes.ts';
import { ownComment } from '../rules/shown.ts';
import { readComments, readTicket } from '../stores/ticket-rows.ts';

export const handler = serveWithPrefetch(listOwnTicketComments)({
  prefetch: ({ params: { ticketId }, page, tables: { SupportTickets: table } }) => {
    return Promise.all([readTicket(table, ticketId), readComments(table, { ticketId, of: 'shown' }, page)]);
  },
  respond: async ({ caller, fail }, [ticket, { found, next }]) => {
    if (ticket?.userId !== caller.userId) return fail(TicketNotFound);
    return { items: found.map(ownComment), next };
  },
});
