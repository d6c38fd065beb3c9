import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { readZip } from '../personal-exports/read-zip.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { openStage } from '../time-machine/stage.ts';

/** What the time makes of tickets, over HTTP with the time machine: overdue, closed, reopened, escalated. */

type Caller = Awaited<ReturnType<typeof stage.signedIn>>;

/** Everybody is new in each test. */
let me: Caller;
let agent: Caller;
let ticketId = '';

const request = { subject: 'Subject', body: 'Text' };
const own = () => `/support/tickets/${ticketId}`;
const crm = () => `/crm/tickets/${ticketId}`;

const stage = await openStage();
afterAll(() => stage.close());
beforeEach(async () => {
  await set('2026-11-23T09:00:00.000Z');
  agent = await stage.signedIn('agent', 'medinfo');
  await eventually(async () => {
    me = await stage.signedIn('patient', 'sleepcare');
    await asked(me('GET', '/users/me'));
    const { body } = await asked(me('POST', '/support/tickets', request));
    ticketId = body.ticketId;
    expect(body.createdAt).toMatch(/^2026-11-23T09:/);
  });
});

type Answer = Awaited<ReturnType<Caller>>;

async function asked(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  if (given.status >= 300) throw new Error(`${given.status} ${JSON.stringify(given.body)}`);
  return given;
}

const set = (now: string) => asked(stage.timeMachine('PUT', { now }));

async function seen() {
  const { headers } = await asked(agent('GET', crm()));
  return { 'If-Match': headers.get('etag') ?? '' };
}

async function answered(): Promise<void> {
  await asked(agent('POST', `${crm()}/comments`, { visibility: 'patient', body: 'Answer' }, await seen()));
}

async function moved(to: string): Promise<Answer['body']> {
  return (await asked(agent('POST', `${crm()}/transition`, { to }, await seen()))).body;
}

/** Once the function that moves tickets knows the time that was set. */
async function solved(at: RegExp): Promise<void> {
  await answered();
  let isPending = false;
  await eventually(async () => {
    isPending = !isPending;
    expect((await moved(isPending ? 'pending' : 'open')).updatedAt).toMatch(at);
  });
  expect((await moved('solved')).solvedAt).toMatch(at);
}

/** Waits until the function that takes comments knows the time that was set: by what somebody else writes. */
async function commentsAre(at: RegExp): Promise<void> {
  const other = await stage.signedIn('patient', 'sleepcare');
  await asked(other('GET', '/users/me'));
  const { body: ticket } = await asked(other('POST', '/support/tickets', request));
  await eventually(async () => {
    const { body } = await asked(other('POST', `/support/tickets/${ticket.ticketId}/comments`, { body: 'Now?' }));
    expect(body.createdAt).toMatch(at);
  });
}

/** Runs what runs every five minutes. @returns the figure that its alarm is of */
async function counted(operation: string, metric: string): Promise<number> {
  const from = stage.log.length;
  const answer = await fetch(`${stage.origin}/_local/schedules/${operation}`, { method: 'POST' });
  expect(answer.status).toBeLessThan(300);
  return eventually(() => {
    const line = stage.log.slice(from).find((each) => each.startsWith(operation) && each.includes(`"${metric}":`));
    if (!line) throw new Error(`${operation} counted nothing`);
    return Number(JSON.parse(line.slice(line.indexOf('{')))[metric]);
  });
}

const idsOn = async (by: Caller, path: string): Promise<string[]> =>
  (await asked(by('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`))).body.items.map(
    (each: { ticketId: string }) => each.ticketId,
  );

/** A patient who shares with a site, of whom a flag was raised. */
async function flaggedAtSite() {
  const [admin, safety] = [
    await stage.signedIn('admin', 'medinfo'),
    await stage.signedIn('clinical-safety', 'medinfo'),
  ];
  const site = { name: 'Escalation', timezone: 'Europe/Berlin' };
  const { code, siteId } = (await asked(admin('POST', '/crm/sites', site))).body;
  const doctor = await stage.signedIn('physician', 'medinfo');
  const { userId: doctorId } = (await asked(doctor('GET', '/users/me'))).body;
  await asked(admin('PUT', `/crm/sites/${siteId}/staff/${doctorId}`, { name: 'Doctor' }));
  // That the doctor is a physician not only the token says: so the site has its hour.
  const account = { kind: 'staff', userId: doctorId, roles: ['physician'], status: 'active', endedAt: null };
  await stage.data.send(new PutCommand({ TableName: stage.tables('StaffAccounts'), Item: account }));
  await asked(me('POST', '/users/me/sites', { code }));
  await asked(me('POST', '/agreements/versions/data-sharing-1.0/agree'));
  const path = `/questionnaires/responses/${randomUUID()}`;
  await asked(me('PUT', path, { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) }));
  await asked(me('POST', `${path}/complete`));
  const { userId } = (await asked(me('GET', '/users/me'))).body;
  const isOf = (each: { userId: string }) => each.userId === userId;
  const itemsOf = async (by: Caller, list: string) =>
    (await asked(by('GET', `${list}?limit=100`))).body.items.filter(isOf);
  const ofSite = () => itemsOf(doctor, '/crm/site-urgent-tickets');
  const ofSafety = () => itemsOf(safety, '/crm/urgent-tickets');
  await eventually(async () => expect(await ofSite()).toHaveLength(1));
  // The flag's own list has it at once.
  expect(await itemsOf(safety, '/questionnaires/flags')).toHaveLength(1);
  expect(await ofSafety()).toEqual([]);
  return { safety, ofSafety };
}

const waiting = () => counted('watch-urgent-tickets', 'urgentTicketsUnacknowledged');

// First of all: every function's clock is the one that was set before.
test('the urgent ticket of a patient who revokes within the hour: the next run gives it to clinical safety', async () => {
  const { safety, ofSafety } = await flaggedAtSite();
  expect(await waiting()).toBe(0);
  await asked(me('DELETE', '/users/agreements/data-sharing/consent'));
  expect(await waiting()).toBe(1);
  const [urgent] = await ofSafety();
  expect(urgent).toMatchObject({ siteId: null, acknowledgedAt: null });
  await asked(safety('POST', `/crm/urgent-tickets/${urgent.ticketId}/acknowledge`));
  expect(await waiting()).toBe(0);
});

test('overdue, on the list and in the metric, until it is answered', async () => {
  const list = '/crm/tickets?overdue=true';
  expect(await idsOn(agent, list)).not.toContain(ticketId);
  await set('2026-11-24T12:00:00.000Z');
  await eventually(async () => expect(await idsOn(agent, list)).toContain(ticketId));
  await eventually(async () => expect(await counted('watch-tickets', 'supportTicketsOverdue')).toBeGreaterThan(0));
  await answered();
  expect(await idsOn(agent, list)).not.toContain(ticketId);
});

test('reopened by the patient up to 14 days after it was solved, closed after them', async () => {
  await solved(/^2026-11-23T09:/);
  // An hour before they are over.
  await set('2026-12-07T08:00:00.000Z');
  await commentsAre(/^2026-12-07T08:/);
  await asked(me('POST', `${own()}/comments`, { body: 'Not yet' }));
  expect((await asked(me('GET', own()))).body).toMatchObject({ state: 'reopened', solvedAt: null });
  await solved(/^2026-12-07T08:/);
  await set('2026-12-21T09:00:00.000Z');
  await commentsAre(/^2026-12-21T09:/);
  const { status, body } = await me('POST', `${own()}/comments`, { body: 'Too late' });
  expect([status, body.code]).toEqual([409, 'TICKET_CLOSED']);
  await eventually(async () => expect((await asked(me('GET', own()))).body.state).toBe('closed'));
  await eventually(async () => {
    await counted('watch-tickets', 'supportTicketsOverdue');
    expect(await idsOn(agent, '/crm/tickets?state=closed')).toContain(ticketId);
  });
});

test('the urgent ticket of a flag: its site has an hour, then clinical safety, until somebody acknowledges it', async () => {
  const { safety, ofSafety } = await flaggedAtSite();
  expect(await waiting()).toBe(0);
  // A Saturday night: it goes by the clock.
  await set('2026-11-28T23:00:00.000Z');
  await eventually(async () => expect(await ofSafety()).toHaveLength(1));
  await eventually(async () => expect(await waiting()).toBeGreaterThan(0));
  await set('2027-11-28T23:00:00.000Z');
  const [urgent] = await ofSafety();
  await asked(safety('POST', `/crm/urgent-tickets/${urgent.ticketId}/acknowledge`));
  expect(await ofSafety()).toEqual([]);
  await eventually(async () => expect(await waiting()).toBe(0));
});

test('the export of a patient has the answer, and no internal note', async () => {
  const note = 'Internal: not for the patient';
  await asked(agent('POST', `${crm()}/comments`, { visibility: 'internal', body: note }, await seen()));
  await answered();
  const { exportId } = await asked(me('POST', '/users/me/exports')).then(({ body }) => body);
  const { downloadUrl } = await eventually(async () => {
    const { body } = await asked(me('GET', `/users/me/exports/${exportId}`));
    expect(body.status).toBe('done');
    return body;
  });
  const files = await readZip(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
  const { SupportTickets: rows } = JSON.parse(String(files.get('support.json')));
  const texts = rows.flatMap((row: { body?: string }) => row.body ?? []);
  expect(texts).toEqual(['Text', 'Answer']);
  const { userId: agentId } = (await asked(agent('GET', '/users/me'))).body;
  for (const hidden of ['internal', agentId]) expect(String(files.get('support.json'))).not.toContain(hidden);
  // Nor is it in any other file.
  for (const [, content] of files) expect(String(content).includes(note)).toBe(false);
});
