import { InvalidCursor, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listTickets } from '../routes.ts';
import { ticketForStaff } from '../rules/shown.ts';
import { readOverdue, readTickets } from '../stores/ticket-rows.ts';

export const handler = serve(listTickets)(
  async ({ query, page: { limit, after: position }, now, tables: { SupportTickets: table }, fail }) => {
    const { state, priority, assigneeId, siteId, overdue } = query;
    const given = Object.values({ state, priority, assigneeId, siteId, overdue }).filter(
      (value) => value !== undefined,
    );
    if (given.length > 1) {
      const message = 'one list at a time: one of state, priority, assigneeId, siteId, overdue';
      return fail(ValidationFailed, { issues: [{ in: 'query', path: '', code: 'inconsistent', message }] });
    }
    // A cursor goes on in the list that it is of.
    const list = JSON.stringify(query);
    if (position !== null && position.list !== list) throw new Failure(InvalidCursor);
    const page = { limit, after: position?.name ?? null };
    const read = () => {
      if (overdue !== undefined) return readOverdue(table, now, page);
      if (priority !== undefined) return readTickets(table, { priority }, page);
      if (assigneeId !== undefined) return readTickets(table, { assigneeId }, page);
      if (siteId !== undefined) return readTickets(table, { siteId }, page);
      return readTickets(table, { state: state ?? 'new' }, page);
    };
    const { found, next } = await read();
    return {
      items: found.map((ticket) => ticketForStaff(ticket, now)),
      next: next === null ? null : { list, name: next },
    };
  },
);
