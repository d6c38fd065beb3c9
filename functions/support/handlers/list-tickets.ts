import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listTickets } from '../routes.ts';
import { ticketForStaff } from '../rules/shown.ts';
import { readOverdue, readTickets } from '../stores/ticket-rows.ts';

export const handler = serve(listTickets)(async ({ query, page, now, tables: { SupportTickets: table }, fail }) => {
  const { state, priority, assigneeId, siteId, overdue } = query;
  const given = Object.values({ state, priority, assigneeId, siteId, overdue }).filter((value) => value !== undefined);
  if (given.length > 1) {
    const message = 'one list at a time: one of state, priority, assigneeId, siteId, overdue';
    return fail(ValidationFailed, { issues: [{ in: 'query', path: '', code: 'inconsistent', message }] });
  }
  const read = () => {
    if (overdue !== undefined) return readOverdue(table, now, page);
    if (priority !== undefined) return readTickets(table, { priority }, page);
    if (assigneeId !== undefined) return readTickets(table, { assigneeId }, page);
    if (siteId !== undefined) return readTickets(table, { siteId }, page);
    return readTickets(table, { state: state ?? 'new' }, page);
  };
  const { found, next } = await read();
  return { items: found.map((ticket) => ticketForStaff(ticket, now)), next };
});
