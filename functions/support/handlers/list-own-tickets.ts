import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listOwnTickets } from '../routes.ts';
import { ownTicket } from '../rules/shown.ts';
import { readTicketsOf } from '../stores/ticket-rows.ts';

export const handler = servePagesInSteps(
  listOwnTickets,
  lambdaWithClock,
)({
  read: ({ caller, page: { limit, after }, tables }) => {
    const page = { limit, after: after && String(after.name) };
    return readTicketsOf(tables.SupportTickets, caller.userId, page);
  },
  answer: async ({ now }, { found, next }) => ({
    items: found.map((ticket) => ownTicket(ticket, now)),
    next: next === null ? null : { name: next },
  }),
});
