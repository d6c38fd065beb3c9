import { beforeAll, describe, expect, test } from 'vitest';
import { operations, references } from '../../functions/domains.ts';
import { deployments } from '../../functions/product.ts';
import { SupportTickets } from '../../functions/support/tables.ts';
import type { Example } from '../../lib/contract/reference.ts';
import type { Application } from '../../lib/contract/register.ts';
import { type Agent, agent, answeredBy, comments, openedBy, ownTicket, type Patient, patient } from './people.ts';

/** What staff writes for itself: at no route of the patient's, of any domain, whatever the route answers. */

const applications = Object.keys(deployments) as Application[];
const ofTickets = operations.filter(
  ({ route }) =>
    (route.uses ?? []).some((use) => 'table' in use && use.table === SupportTickets) &&
    applications.every((each) => route.applications.includes(each) === (each === 'sleepcare')),
);
const examples: Readonly<Record<string, Example>> = Object.assign(
  {},
  ...Object.values(references).map(({ examples: those }) => those),
);

const note = 'Internal: not for the patient';
let staff: Agent;
let me: Patient;
let ticketId: string;
let before: unknown;

beforeAll(async () => {
  [staff, me] = [await agent(), await patient()];
  ({ ticketId } = await openedBy(me));
  before = (await me.get(ownTicket(ticketId))).body;
  expect((await answeredBy(staff, ticketId, note, 'internal')).status).toBe(201);
});

test('staff read the note, and the patient cannot see that there is one', async () => {
  const { items } = (await staff.get(comments(ticketId))).body;
  expect(items.map(({ body }: { body: string }) => body)).toContain(note);
  expect((await me.get(ownTicket(ticketId))).body).toEqual(before);
});

test('the routes of tickets that are patients’ are these', () => {
  expect(ofTickets.map(({ id }) => id).toSorted()).toEqual([
    ...['addOwnTicketComment', 'listOwnTicketComments', 'listOwnTickets', 'openTicket', 'readOwnTicket'],
  ]);
});

describe('is not in the answer of', () => {
  test.each(ofTickets.map(({ id, route }) => [id, route] as const))('%s', async (id, { method, path }) => {
    const { body, query = {} } = examples[id] ?? {};
    const ask = { GET: me.get, POST: me.post, PUT: me.put, PATCH: me.patch, DELETE: me.delete }[method];
    // What a caller adds is not believed.
    const asked = body === undefined ? {} : { body: { ...body, visibility: 'internal' } };
    const wanted = new URLSearchParams({ ...(query as Record<string, string>), visibility: 'internal', of: 'all' });
    const answer = await ask(`${path.replace('{ticketId}', ticketId)}?${wanted}`, asked);
    expect(answer.status).toBeLessThan(300);
    const text = JSON.stringify(answer.body);
    for (const hidden of [note, staff.user, 'internal', 'agent', 'assigneeId', 'priority']) {
      expect(text).not.toContain(hidden);
    }
  });

  test.each(['/agent-board/messages', '/users/me/access-log'])('%s', async (path) => {
    const { status, body } = await me.get(path);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(note);
  });
});
