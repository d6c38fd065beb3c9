import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listOwnTickets } from '../routes.ts';
import { ownTicket } from '../rules/shown.ts';
import { readTicketsOf } from '../stores/ticket-rows.ts';

export const handler = serveWithPrefetch(listOwnTickets)({
  prefetch: ({ caller, page, tables }) => {
    return readTicketsOf(tables.SupportTickets, caller.userId, page);
  },
  respond: async ({ now }, { found, next }) => ({
    items: found.map((ticket) => ownTicket(ticket, now)),
    next,
  }),
});
