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
  await me.put(path, { body: { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) } });
  for (let twice = 0; twice < 2; twice += 1) expect((await me.post(`${path}/complete`)).status).toBe(200);
  return responseId;
}

type Line = { userId: string; ticketId: string };

async function all(by: Caller, path: string, { user }: { user: string }, limit = 100): Promise<Line[]> {
  const found: Line[] = [];
  let cursor = '';
  do {
    const { status, body } = await by.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
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

describe('for a patient whose site may see the data', () => {
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
      recordedAt: expect.any(String),
      receivedAt: expect.any(String),
      dueAt: expect.any(String),
      acknowledgedAt: null,
      acknowledgedBy: null,
    });
    // The site has a physician, who comes first.
    expect(await ofSafety(me)).toEqual([]);
    const { dueAt, raisedAt } = ticket as Line & { dueAt: string; raisedAt: string };
    expect(dueAt > raisedAt).toBe(true);
    const path = `/crm/patients/${me.user}/urgent-tickets/${ticket?.ticketId}/acknowledge`;
    const answers = [await doctor.post(path), await doctor.post(path)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect([await ofSites(me), await ofSafety(me)]).toEqual([[], []]);
    // The support never sees it, and neither does the patient.
    const agent = await ofRole('agent');
    expect((await agent.get(`/crm/tickets/${ticket?.ticketId}`)).status).toBe(404);
    expect((await me.get(`/support/tickets/${ticket?.ticketId}`)).status).toBe(404);
    expect((await me.get('/support/tickets')).body.items).toEqual([]);
  });

  test('after a revocation or after leaving, the patient is on no list of the site, and nobody there can acknowledge it', async () => {
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

describe('for a physician of more sites than one request reads', () => {
  let sites: Site[];
  let many: Caller;
  let here: Patient;
  let there: Patient;
  beforeAll(async () => {
    const by = await admin();
    sites = [];
    for (let number = 0; number < 12; number += 1) sites.push(await newSite(by));
    sites = sites.toSorted((one, other) => (one.siteId < other.siteId ? -1 : 1));
    many = await physicianAt(by, sites);
    const [first, last] = [sites.slice(0, 1), sites.slice(-1)];
    [here, there] = (await Promise.all([first, last].map((those) => patientAt(those, { isSharing: true })))) as [
      Patient,
      Patient,
    ];
    await Promise.all([flagged(here), flagged(there)]);
  });
  const path = '/crm/site-urgent-tickets';
  const siteOf = (index: number) => sites.at(index)?.siteId ?? '';

  test.each([1, 100])('the list leads through all of them, %s at a time', async (limit) => {
    const onlyOf = async (me: Patient) => (await oneOn(() => all(many, path, me, limit)))[0];
    expect(await onlyOf(here)).toMatchObject({ siteId: siteOf(0) });
    expect(await onlyOf(there)).toMatchObject({ siteId: siteOf(-1) });
    // Ten sites were looked at, and the last one was not.
    const { body } = await many.get(`${path}?limit=100`);
    expect(body.items.map(({ userId }: Line) => userId)).toEqual([here.user]);
    expect(body.metadata.hasMore).toBe(true);
  });

  test('of only one of them, and not of a site at which the caller does not work', async () => {
    await oneOn(() => all(many, `${path}?siteId=${siteOf(-1)}`, there));
    const { body } = await many.get(`${path}?siteId=${siteOf(-1)}`);
    expect(body.items.map(({ userId }: Line) => userId)).toEqual([there.user]);
    expect(body.metadata.hasMore).toBe(false);
    for (const siteId of [site.siteId, 'none']) {
      const refused = await many.get(`${path}?siteId=${siteId}`);
      expect([refused.status, refused.body.code]).toEqual([404, 'SITE_NOT_FOUND']);
    }
  });

  test('a physician of another site of the patient’s sees the patient, and not the ticket', async () => {
    // The doctor's site is the second one of the patient's: the first one is the main site.
    expect((await there.post('/users/me/sites', { body: { code: site.code } })).status).toBe(200);
    const [line] = await oneOn(() => all(many, path, there));
    expect((await doctor.get(`/crm/patients/${there.user}`)).status).toBe(200);
    expect(await ofSites(there)).toEqual([]);
    const acknowledging = `/crm/patients/${there.user}/urgent-tickets/${line?.ticketId}/acknowledge`;
    const { status, body } = await doctor.post(acknowledging);
    expect([status, body.code]).toEqual([404, 'TICKET_NOT_FOUND']);
    // Nor under the id of another patient.
    const other = `/crm/patients/${here.user}/urgent-tickets/${line?.ticketId}/acknowledge`;
    expect((await many.post(other)).body.code).toBe('TICKET_NOT_FOUND');
    expect(await all(many, path, there)).toEqual([line]);
    expect((await many.post(acknowledging)).body).toMatchObject({ acknowledgedBy: expect.any(String) });
  });
});

test('for a patient who shares nothing, clinical safety has it from the start, until the ticket or its flag is acknowledged', async () => {
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

test('there is none with this id', async () => {
  const { status, body } = await safety.post('/crm/urgent-tickets/none/acknowledge');
  expect([status, body.code]).toEqual([404, 'TICKET_NOT_FOUND']);
});
