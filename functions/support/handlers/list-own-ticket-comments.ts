import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { TicketNotFound } from '../errors.ts';
import { listOwnTicketComments } from '../routes.ts';
import { ownComment } from '../rules/shown.ts';
import { readComments, readTicket } from '../stores/ticket-rows.ts';

export const handler = servePagesInSteps(
  listOwnTicketComments,
  lambdaWithClock,
)({
  read: ({ params: { ticketId }, page: { limit, after }, tables: { SupportTickets: table } }) => {
    const page = { limit, after: after && String(after.name) };
    return Promise.all([readTicket(table, ticketId), readComments(table, { ticketId, of: 'shown' }, page)]);
  },
  answer: async ({ caller, fail }, [ticket, { found, next }]) => {
    if (ticket?.userId !== caller.userId) return fail(TicketNotFound);
    return { items: found.map(ownComment), next: next === null ? null : { name: next } };
  },
});
