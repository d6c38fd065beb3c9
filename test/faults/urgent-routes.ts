import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { urgentTicket } from '../../functions/support/rules/urgent-ticket.ts';
import { openUrgentItems, readUrgentTicket } from '../../functions/support/stores/urgent-rows.ts';
import { transact } from '../../lib/runtime/commit.ts';
import { handlesNamed } from '../tables.ts';
import type { Opened } from './routes.ts';
import { atSite } from './site-routes.ts';
import { asked, type Person, type Stage } from './stage.ts';

/** The routes of urgent tickets, of sites and of clinical safety. */

const tableOf = ({ stage, data }: Stage) => handlesNamed(data, ['UrgentTickets'], stage.data.tables).UrgentTickets;

/** A ticket as the consumer of the flags opens it. @returns its id */
async function opened(stage: Stage, userId: string, siteId: string | null): Promise<string> {
  const at = new Date().toISOString();
  const times = { raisedAt: at, recordedAt: at, receivedAt: at };
  const flag = { userId, flagId: randomUUID(), responseId: randomUUID(), ...times };
  const ticket = urgentTicket(flag, siteId, null);
  await transact(openUrgentItems(tableOf(stage), ticket));
  return ticket.ticketId;
}

async function inSafety(stage: Stage): Promise<{ safety: Person; ticketId: string }> {
  const [me, safety] = [await stage.person(), await stage.person('clinical-safety', 'medinfo')];
  for (const { call } of [me, safety]) await asked(() => call('GET', '/users/me'));
  return { safety, ticketId: await opened(stage, me.userId, null) };
}

/** By whoever asked, and once. */
const acknowledgedBy =
  (stage: Stage, ticketId: string, { userId }: Person) =>
  async () => {
    const ticket = await readUrgentTicket(tableOf(stage), ticketId);
    expect(ticket).toMatchObject({ acknowledgedAt: expect.any(String), acknowledgedBy: userId });
  };

export const urgentRoutes = {
  'list-urgent-tickets': async (stage) => {
    const { safety } = await inSafety(stage);
    return { mark: safety.userId, person: safety, status: 200, send: () => safety.call('GET', '/crm/urgent-tickets') };
  },
  'acknowledge-urgent-ticket': async (stage) => {
    const { safety, ticketId } = await inSafety(stage);
    const send = () => safety.call('POST', `/crm/urgent-tickets/${ticketId}/acknowledge`);
    return { mark: ticketId, person: safety, status: 200, send, leaves: acknowledgedBy(stage, ticketId, safety) };
  },
  'list-urgent-tickets-of-sites': async (stage) => {
    const open = await atSite(stage, ({ doctor }) => doctor.call('GET', '/crm/site-urgent-tickets'));
    await opened(stage, open.me.userId, open.siteId);
    return { ...open, mark: open.doctor.userId };
  },
  'acknowledge-urgent-ticket-of-patient': async (stage) => {
    let ticketId = '';
    const open = await atSite(stage, ({ me, doctor }) =>
      doctor.call('POST', `/crm/patients/${me.userId}/urgent-tickets/${ticketId}/acknowledge`),
    );
    ticketId = await opened(stage, open.me.userId, open.siteId);
    return { ...open, mark: ticketId, leaves: acknowledgedBy(stage, ticketId, open.doctor) };
  },
} satisfies Record<string, (stage: Stage) => Promise<Opened>>;
