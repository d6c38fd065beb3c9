import { accepted, type PersonalRows } from '../personal-rows.ts';

/** A ticket with a comment, as the app writes them. */
export const personalRows: PersonalRows = async ({ call, canary, userId, put }) => {
  await accepted(call('POST', '/support/tickets', { subject: canary, body: canary }));
  const ticketId = `urgent-${canary}`;
  const urgent = { ticketId, userId, flagId: canary, responseId: canary, siteId: null };
  const at = '2026-01-01T00:00:00.000Z';
  const times = { raisedAt: at, recordedAt: at, receivedAt: at, dueAt: '2026-01-01T01:00:00.000Z' };
  const row = { ...urgent, ...times, acknowledgedAt: null, acknowledgedBy: null };
  await put('UrgentTickets', { part: `urgent#${ticketId}`, name: 'ticket', ...row });
  await put('UrgentTickets', { part: `user#${userId}`, name: `urgent#${ticketId}`, ticketId });
  await put('UrgentTickets', { part: 'urgent-safety', name: `${times.raisedAt}#${ticketId}`, ...row });
};
