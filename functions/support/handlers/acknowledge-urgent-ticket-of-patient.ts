import { serve } from '../../../lib/runtime/serve.ts';
import { TicketNotFound } from '../errors.ts';
import { acknowledgeUrgentTicketOfPatient } from '../routes.ts';
import type { UrgentTicket } from '../rules/urgent-ticket.ts';
import { acknowledgeByStaff } from '../workflows/acknowledge-by-staff.ts';

export const handler = serve(acknowledgeUrgentTicketOfPatient)(
  async ({ params: { userId, ticketId }, dataSubject, caller, application, now, requestId, tables, fail }) => {
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const mayBe = (ticket: UrgentTicket) =>
      ticket.userId === userId && dataSubject.sites.some(({ siteId }) => siteId === ticket.siteId);
    const ticket = await acknowledgeByStaff(tables, { ticketId, at: now, mayBe, occasion });
    return ticket ?? fail(TicketNotFound);
  },
);
