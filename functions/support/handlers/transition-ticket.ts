import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { ticketMoved } from '../audit-actions.ts';
import { TicketNotFound, TicketTransitionRefused } from '../errors.ts';
import { transitionTicket } from '../routes.ts';
import { needsHours, transitioned } from '../rules/change.ts';
import { ticketForStaff } from '../rules/shown.ts';
import { changeByStaff } from '../workflows/staff-change.ts';

export const handler = serve(transitionTicket)(
  async ({ params, headers, body, caller, application, now, requestId, tables, fail }) => {
    const ticket = await changeByStaff({
      tables,
      ...params,
      ifMatch: headers['if-match'],
      occasion: { application, actor: caller.userId, requestId, realNow: new Date() },
      action: ticketMoved,
      needsHours: (before) => needsHours.transition(before, body.to),
      next: (before, hours) => transitioned(before, body.to, { now, changeId: requestId, hours }),
      refusal: TicketTransitionRefused,
    });
    return ticket ? { etag: etagOf(ticket.revision), body: ticketForStaff(ticket, now) } : fail(TicketNotFound);
  },
);
