import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { TicketNotFound } from '../errors.ts';
import { listTicketComments } from '../routes.ts';
import { commentForStaff } from '../rules/shown.ts';
import { readComments, readTicket } from '../stores/ticket-rows.ts';

export const handler = servePagesInSteps(
  listTicketComments,
  lambdaWithAccess,
)({
  read: ({ params: { ticketId }, page: { limit, after }, tables: { SupportTickets: table } }) => {
    const page = { limit, after: after && String(after.name) };
    return Promise.all([readTicket(table, ticketId), readComments(table, { ticketId, of: 'all' }, page)]);
  },
  answer: async ({ fail }, [ticket, { found, next }]) => {
    if (!ticket) return fail(TicketNotFound);
    return { items: found.map(commentForStaff), next: next === null ? null : { name: next } };
  },
});
