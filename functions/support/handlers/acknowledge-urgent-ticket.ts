import { serve } from '../../../lib/runtime/serve.ts';
import { TicketNotFound } from '../errors.ts';
import { acknowledgeUrgentTicket } from '../routes.ts';
import { acknowledgeByStaff } from '../workflows/acknowledge-by-staff.ts';

export const handler = serve(acknowledgeUrgentTicket)(
  async ({ params, caller, application, now, requestId, tables, fail }) => {
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const ticket = await acknowledgeByStaff(tables, { ...params, at: now, occasion });
    return ticket ?? fail(TicketNotFound);
  },
);
