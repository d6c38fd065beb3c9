import { randomUUID } from 'node:crypto';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { Opened } from './routes.ts';
import { type Answer, asked, type Person, type Stage } from './stage.ts';

/** The routes of tickets, of the patient and of staff. What is written under a key is there once, whatever was lost in between. */

const request = { subject: 'Subject', body: 'Text' };
const own = '/support/tickets';
const crm = '/crm/tickets';

type Who = { readonly me: Person; readonly agent: Person; readonly ticketId: string };
type Send = (who: Who, stage: Stage) => Promise<Answer>;

/** Somebody who has started the app, and one of the support. */
async function people(stage: Stage) {
  const [me, agent] = [await stage.person(), await stage.person('agent', 'medinfo')];
  await asked(() => me.call('GET', '/users/me'));
  await asked(() => agent.call('GET', '/users/me'));
  return { me, agent };
}

/** Of a ticket: all calls that are about it name it. */
const ofTicket =
  (
    send: Send,
    { status = 200, leaves }: { status?: number; leaves?: (who: Who, stage: Stage) => Promise<void> } = {},
  ) =>
  async (stage: Stage): Promise<Opened & { readonly agent: Person }> => {
    const { me, agent } = await people(stage);
    const { ticketId } = await asked(() => me.call('POST', own, request));
    const who = { me, agent, ticketId };
    await asked(() => agent.call('PATCH', `${crm}/${ticketId}`, { assigneeId: agent.userId }, { 'if-match': '"1"' }));
    return {
      ...{ mark: ticketId, person: me, agent, status, send: () => send(who, stage) },
      ...(leaves && { leaves: () => leaves(who, stage) }),
    };
  };

const table = ({ stage }: Stage) => stage.data.tables('SupportTickets');

/** With the ETag that the ticket has at that moment, as the test reads it: no fault meets the test. */
async function etag(stage: Stage, ticketId: string) {
  const Key = { part: `ticket#${ticketId}`, name: 'ticket' };
  const { Item } = await stage.data.send(new GetCommand({ TableName: table(stage), Key, ConsistentRead: true }));
  return { 'if-match': `"${Item?.revision}"`, state: String(Item?.state), priority: String(Item?.priority) };
}

async function countOf(stage: Stage, part: string, prefix: string): Promise<number> {
  const query = new QueryCommand({
    TableName: table(stage),
    KeyConditionExpression: 'part = :part AND begins_with(#name, :prefix)',
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: { ':part': part, ':prefix': prefix },
    ConsistentRead: true,
  });
  return (await stage.data.send(query)).Items?.length ?? 0;
}

/** The same key for all that one case sends. */
const keyed = new WeakMap<Person, Record<string, string>>();
function keyOf(person: Person): Record<string, string> {
  const key = keyed.get(person) ?? { 'idempotency-key': randomUUID() };
  keyed.set(person, key);
  return key;
}

export const ticketRoutes = {
  'open-ticket': async (stage) => {
    const { me } = await people(stage);
    const leaves = async () => expect(await countOf(stage, `user#${me.userId}`, 'request#')).toBe(1);
    const send = () => me.call('POST', own, request, keyOf(me));
    return { mark: me.userId, person: me, status: 201, send, leaves };
  },
  'add-own-ticket-comment': ofTicket(
    ({ me, ticketId }) => me.call('POST', `${own}/${ticketId}/comments`, { body: 'More' }, keyOf(me)),
    {
      status: 201,
      leaves: async ({ ticketId }, stage) => expect(await countOf(stage, `ticket#${ticketId}`, 'shown#')).toBe(2),
    },
  ),
  'list-own-tickets': async (stage) => {
    const { me } = await people(stage);
    await asked(() => me.call('POST', own, request));
    return { mark: me.userId, person: me, status: 200, send: () => me.call('GET', own) };
  },
  'read-own-ticket': ofTicket(({ me, ticketId }) => me.call('GET', `${own}/${ticketId}`)),
  'list-own-ticket-comments': ofTicket(({ me, ticketId }) => me.call('GET', `${own}/${ticketId}/comments`)),
  'list-tickets': async (stage) => {
    const open = await ofTicket(({ agent }) => agent.call('GET', `${crm}?assigneeId=${agent.userId}`))(stage);
    return { ...open, mark: open.agent.userId };
  },
  'read-ticket': ofTicket(({ agent, ticketId }) => agent.call('GET', `${crm}/${ticketId}`)),
  'list-ticket-comments': ofTicket(({ agent, ticketId }) => agent.call('GET', `${crm}/${ticketId}/comments`)),
  'add-ticket-comment': ofTicket(
    async ({ agent, ticketId }, stage) => {
      const { 'if-match': seen } = await etag(stage, ticketId);
      const body = { visibility: 'patient', body: 'Answer' };
      return agent.call('POST', `${crm}/${ticketId}/comments`, body, { 'if-match': seen, ...keyOf(agent) });
    },
    {
      status: 201,
      leaves: async ({ me, ticketId }, stage) => {
        expect(await countOf(stage, `ticket#${ticketId}`, 'shown#')).toBe(2);
        expect((await asked(() => me.call('GET', '/agent-board/messages'))).items).toHaveLength(1);
      },
    },
  ),
  'change-ticket': ofTicket(async ({ agent, ticketId }, stage) => {
    const { 'if-match': seen, priority } = await etag(stage, ticketId);
    const to = priority === 'high' ? 'low' : 'high';
    return agent.call('PATCH', `${crm}/${ticketId}`, { priority: to }, { 'if-match': seen });
  }),
  'transition-ticket': async (stage) => {
    const moved = ofTicket(async ({ agent, ticketId }) => {
      const { 'if-match': seen, state } = await etag(stage, ticketId);
      const to = state === 'open' ? 'pending' : 'open';
      return agent.call('POST', `${crm}/${ticketId}/transition`, { to }, { 'if-match': seen });
    });
    const open = await moved(stage);
    // What is answered can wait for the patient.
    const { 'if-match': seen } = await etag(stage, open.mark);
    const answer = { visibility: 'patient', body: 'Answer' };
    await asked(() => open.agent.call('POST', `${crm}/${open.mark}/comments`, answer, { 'if-match': seen }));
    return open;
  },
} satisfies Record<string, (stage: Stage) => Promise<Opened>>;
