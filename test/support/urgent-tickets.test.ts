import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { client, type Signed } from '../api.ts';
import {
  admin,
  agreeing,
  newSite,
  ownSite,
  type Patient,
  patientAt,
  physicianAt,
  revoking,
  type Site,
} from '../crm-sites/people.ts';
import { eventually } from '../eventually.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** The ticket of a flag, over HTTP. */

type Caller = Awaited<ReturnType<typeof client>>;
const ofRole = (roles: string): Promise<Caller> => client({ application: 'medinfo', roles } satisfies Signed);

let site: Site;
let doctor: Caller;
let safety: Caller;
beforeAll(async () => {
  const by = await admin();
  site = await newSite(by);
  [doctor, safety] = await Promise.all([physicianAt(by, [site]), ofRole('clinical-safety')]);
});

async function flagged(me: Patient) {
  const responseId = randomUUID();
  const path = `/questionnaires/responses/${responseId}`;
  await me.put(path, { body: { questionnaireId: 'phq-9', version: '1.0', answers: phq9(1) } });
  for (let twice = 0; twice < 2; twice += 1) expect((await me.post(`${path}/complete`)).status).toBe(200);
  return responseId;
}

type Line = { userId: string; ticketId: string };

async function all(by: Caller, path: string, { user }: { user: string }): Promise<Line[]> {
  const found: Line[] = [];
  let cursor = '';
  do {
    const { status, body } = await by.get(`${path}?limit=100${cursor}`);
    expect(status).toBe(200);
    found.push(...body.items.filter(({ userId }: Line) => userId === user));
    cursor = body.metadata.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.metadata.nextCursor)}`;
  } while (cursor !== '');
  return found;
}
/** The one line of a list, once it is there. */
const oneOn = (list: () => Promise<Line[]>) =>
  eventually(async () => {
    const found = await list();
    expect(found).toHaveLength(1);
    return found;
  });
const ofSites = (me: Patient) => all(doctor, '/crm/site-urgent-tickets', me);
const ofSafety = (me: Patient) => all(safety, '/crm/urgent-tickets', me);

describe('of a patient whose site sees the data', () => {
  test('the site has one, with only ids; the first acknowledgement stays', async () => {
    const me = await patientAt([site], { isSharing: true });
    const responseId = await flagged(me);
    const [ticket] = await oneOn(() => ofSites(me));
    expect(ticket).toEqual({
      ticketId: expect.any(String),
      userId: me.user,
      flagId: expect.any(String),
      responseId,
      siteId: site.siteId,
      raisedAt: expect.any(String),
      dueAt: expect.any(String),
      acknowledgedAt: null,
      acknowledgedBy: null,
    });
    expect(await ofSafety(me)).toEqual([]);
    const path = `/crm/patients/${me.user}/urgent-tickets/${ticket?.ticketId}/acknowledge`;
    const answers = [await doctor.post(path), await doctor.post(path)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await ofSites(me)).toEqual([]);
    // The support never sees it, and neither does the patient.
    const agent = await ofRole('agent');
    expect((await agent.get(`/crm/tickets/${ticket?.ticketId}`)).status).toBe(404);
    expect((await me.get(`/support/tickets/${ticket?.ticketId}`)).status).toBe(404);
    expect((await me.get('/support/tickets')).body.items).toEqual([]);
  });

  test('who revokes, or leaves, is on no list of the site, and nobody there acknowledges it', async () => {
    const me = await patientAt([site], { isSharing: true });
    await flagged(me);
    const [line] = await oneOn(() => ofSites(me));
    const path = `/crm/patients/${me.user}/urgent-tickets/${line?.ticketId}/acknowledge`;
    await me.delete(revoking);
    expect(await ofSites(me)).toEqual([]);
    expect((await doctor.post(path)).body.code).toBe('CONSENT_REQUIRED');
    await me.post(agreeing);
    expect(await ofSites(me)).toEqual([line]);
    await me.delete(ownSite(site));
    expect(await ofSites(me)).toEqual([]);
    expect((await doctor.post(path)).body.code).toBe('USER_NOT_FOUND');
  });
});

test('of a patient who shares nothing clinical safety has it from the start, until the ticket or its flag is acknowledged', async () => {
  const me = await patientAt([site]);
  await flagged(me);
  const [ticket] = await oneOn(() => ofSafety(me));
  expect(ticket).toMatchObject({ siteId: null });
  expect(await ofSites(me)).toEqual([]);
  const { status, body } = await safety.post(`/crm/urgent-tickets/${ticket?.ticketId}/acknowledge`);
  expect([status, body.acknowledgedAt]).toEqual([200, expect.any(String)]);
  expect(await ofSafety(me)).toEqual([]);
  await flagged(me);
  const [another] = await oneOn(() => ofSafety(me));
  const { flagId } = another as Line & { flagId: string };
  await safety.post(`/questionnaires/flags/${flagId}/acknowledge`);
  await eventually(async () => expect(await ofSafety(me)).toEqual([]));
});

test('there is none of that id', async () => {
  const { status, body } = await safety.post('/crm/urgent-tickets/none/acknowledge');
  expect([status, body.code]).toEqual([404, 'TICKET_NOT_FOUND']);
});
