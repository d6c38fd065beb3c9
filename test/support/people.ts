import { patient } from '../agent-board/people.ts';
import { client } from '../api.ts';

/** Patients who ask the support, and who answers. */

export { patient };

export async function agent(roles = 'agent') {
  const signedIn = await client({ application: 'medinfo', roles });
  await signedIn.get('/users/me');
  return signedIn;
}

export type Patient = Awaited<ReturnType<typeof patient>>;
export type Agent = Awaited<ReturnType<typeof agent>>;

export const own = '/support/tickets';
export const ownTicket = (ticketId: string) => `${own}/${ticketId}`;
export const ownComments = (ticketId: string) => `${ownTicket(ticketId)}/comments`;
export const tickets = '/crm/tickets';
export const ticketPath = (ticketId: string) => `${tickets}/${ticketId}`;
export const comments = (ticketId: string) => `${ticketPath(ticketId)}/comments`;
export const transition = (ticketId: string) => `${ticketPath(ticketId)}/transition`;

export const request = { subject: 'Subject of the request', body: 'Text of the request' };

export async function openedBy(me: Patient, body = request) {
  const { status, body: ticket } = await me.post(own, { body });
  if (status !== 201) throw new Error(`no ticket: ${JSON.stringify(ticket)}`);
  return ticket;
}

/** With the ETag that the ticket has now. */
export async function seen(by: Agent, ticketId: string) {
  const { headers } = await by.get(ticketPath(ticketId));
  return { 'if-match': headers.get('etag') ?? '' };
}

export async function answeredBy(by: Agent, ticketId: string, text: string, visibility = 'patient') {
  return by.post(comments(ticketId), { body: { visibility, body: text }, headers: await seen(by, ticketId) });
}

export async function movedBy(by: Agent, ticketId: string, to: string) {
  return by.post(transition(ticketId), { body: { to }, headers: await seen(by, ticketId) });
}
