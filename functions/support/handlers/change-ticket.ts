import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { readProfile } from '../../users/exports.ts';
import { ticketChanged } from '../audit-actions.ts';
import { TicketClosed, TicketNotFound } from '../errors.ts';
import { changeTicket } from '../routes.ts';
import { assigned, needsHours } from '../rules/change.ts';
import { ticketForStaff } from '../rules/shown.ts';
import { changeByStaff } from '../workflows/staff-change.ts';

export const handler = serve(changeTicket)(
  async ({ params, headers, body, caller, application, now, requestId, tables, fail }) => {
    const { assigneeId, priority } = body;
    if (typeof assigneeId === 'string') {
      const assignee = await readProfile(tables.Users, assigneeId);
      if (assignee?.application !== application) {
        const message = 'must be a member of staff that has used the app';
        const issue = { in: 'body', path: 'assigneeId', code: 'invalid_value', message } as const;
        return fail(ValidationFailed, { issues: [issue] });
      }
    }
    const to = { ...(assigneeId !== undefined && { assigneeId }), ...(priority !== undefined && { priority }) };
    const ticket = await changeByStaff({
      tables,
      ...params,
      ifMatch: headers['if-match'],
      occasion: { application, actor: caller.userId, requestId, realNow: new Date() },
      action: ticketChanged,
      needsHours: (before) => needsHours.assignment(before, priority),
      next: (before, hours) => assigned(before, to, { now, changeId: requestId, hours }),
      refusal: TicketClosed,
    });
    return ticket ? { etag: etagOf(ticket.revision), body: ticketForStaff(ticket, now) } : fail(TicketNotFound);
  },
);
