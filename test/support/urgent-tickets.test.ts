import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { client, type Signed } from '../api.ts';
import {
  admin,
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
  test('the site has one, with ids alone; who acknowledges it first stays', async () => {
    const me = await patientAt([site], { isSharing: true });
    const responseId = await flagged(me);
    const [ticket] = await eventually(async () => {
      const found = await ofSites(me);
      expect(found).toHaveLength(1);
      return found;
    });
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
    const answers = await Promise.all([doctor.post(path), doctor.post(path)]);
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
    const people = await Promise.all([1, 2].map(() => patientAt([site], { isSharing: true })));
    const [revoker, leaver] = people as [Patient, Patient];
    await Promise.all(people.map(flagged));
    const [one, other] = await Promise.all(people.map((me) => oneOn(() => ofSites(me))));
    await Promise.all([revoker.delete(revoking), leaver.delete(ownSite(site))]);
    expect(await ofSites(revoker)).toEqual([]);
    expect(await ofSites(leaver)).toEqual([]);
    const path = (me: Patient, lines: Line[] | undefined) =>
      `/crm/patients/${me.user}/urgent-tickets/${lines?.[0]?.ticketId}/acknowledge`;
    expect((await doctor.post(path(revoker, one))).body.code).toBe('CONSENT_REQUIRED');
    expect((await doctor.post(path(leaver, other))).body.code).toBe('USER_NOT_FOUND');
  });
});

describe('of a patient whose data no site sees', () => {
  test.each([
    ['without a site', () => patientAt([])],
    ['without the consent', () => patientAt([site])],
  ])('%s: clinical safety has it from the start', async (_case, person) => {
    const me = await person();
    await flagged(me);
    const [ticket] = await eventually(async () => {
      const found = await ofSafety(me);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(ticket).toMatchObject({ siteId: null });
    expect(await ofSites(me)).toEqual([]);
    const { status, body } = await safety.post(`/crm/urgent-tickets/${ticket?.ticketId}/acknowledge`);
    expect([status, body.acknowledgedAt]).toEqual([200, expect.any(String)]);
    expect(await ofSafety(me)).toEqual([]);
  });

  test('whoever acknowledges the flag has seen to its ticket', async () => {
    const me = await patientAt([]);
    await flagged(me);
    const [ticket] = await oneOn(() => ofSafety(me));
    const { flagId } = ticket as Line & { flagId: string };
    await safety.post(`/questionnaires/flags/${flagId}/acknowledge`);
    await eventually(async () => expect(await ofSafety(me)).toEqual([]));
  });
});

test('there is none of that id', async () => {
  const { status, body } = await safety.post('/crm/urgent-tickets/none/acknowledge');
  expect([status, body.code]).toEqual([404, 'TICKET_NOT_FOUND']);
});
