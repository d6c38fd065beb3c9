import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { PatientAccountClosed, TicketNotFound } from '../errors.ts';
import { addTicketComment } from '../routes.ts';
import { commentForStaff } from '../rules/shown.ts';
import { readTicket } from '../stores/ticket-rows.ts';
import { commentByStaff } from '../workflows/write-comment.ts';

export const handler = serve(addTicketComment)(async (input) => {
  const { params, headers, body, caller, application, now, requestId, tables, fail } = input;
  const ticket = await readTicket(tables.SupportTickets, params.ticketId);
  if (!ticket) return fail(TicketNotFound);
  const { userId } = ticket;
  const comment = () =>
    commentByStaff({
      ...{ tables, ...params, ...body, userId, now },
      role: caller.roles.includes('admin') ? 'admin' : 'agent',
      ifMatch: headers['if-match'],
      occasion: { application, actor: caller.userId, requestId, realNow: new Date() },
      once: onceOf(addTicketComment, input, new Date()),
    });
  try {
    // A patient who has requested the deletion of the account gets no message.
    const written = await whileOpen({ table: tables.Accounts, userId }, comment);
    if (!written) return fail(TicketNotFound);
    return { etag: etagOf(written.revision), body: commentForStaff(written.comment) };
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return fail(PatientAccountClosed);
    throw error;
  }
});
