import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import { baseUrl, isDeployed } from '../api.ts';
import {
  type Admin,
  admin,
  agreeing,
  newSite,
  ownSite,
  type Patient,
  type Physician,
  patientAt,
  patientPath,
  physician,
  revoking,
  type Site,
  staffPath,
} from '../crm-sites/people.ts';
import { eventually } from '../eventually.ts';
import { daysAgo, entryOf } from '../sleep/diary.ts';
import { agent, answeredBy, openedBy } from '../support/people.ts';

/** A patient between site, physician and support, step by step, as the people meet it: from the making of the site to the leaving of it. */

let chief: Admin;
let site: Site;
let doctor: Physician;
let patient: Patient;
beforeAll(async () => {
  [chief, doctor, patient] = await Promise.all([admin(), physician(), patientAt([])]);
  site = await newSite(chief, 'Sleep clinic of the story');
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const needed = { code: 'CONSENT_REQUIRED', detail: { agreementId: 'data-sharing' } };
const timeline = () => `${patientPath(patient)}/timeline`;
const night = daysAgo(1);
const lines = async () => (await doctor.get('/crm/patients')).body.items;
const looks = () => ownLooks<{ action: string; relation: string | null }>(patient);
/** Those of the site, without those of the support. */
const looksOfSite = async () =>
  (await looks()).filter(({ relation }: { relation: string | null }) => relation === 'care');

test('an administrator puts a physician to work at a site', async () => {
  const added = await chief.put(staffPath(site.siteId, doctor.user), { body: { name: 'Dr. Ada Example' } });
  expect(added).toMatchObject({ status: 200, body: { siteId: site.siteId, userId: doctor.user, since: time } });
  expect(await doctor.get('/crm/patients')).toMatchObject({ status: 200, body: { items: [] } });
  expect(await doctor.get(patientPath(patient))).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
});

test('a patient comes to the site: the physician sees that, and no more', async () => {
  expect((await patient.put(`/sleep/entries/${night}`, { body: entryOf(night) })).status).toBe(200);
  const { status, body } = await patient.post('/users/me/sites', { body: { code: site.code } });
  expect([status, body]).toEqual([
    200,
    {
      siteId: site.siteId,
      name: 'Sleep clinic of the story',
      timezone: 'Europe/Berlin',
      since: time,
      main: false,
      missingAgreementId: 'data-sharing',
    },
  ]);
  expect(await lines()).toEqual([
    {
      userId: patient.user,
      siteId: site.siteId,
      since: body.since,
      sharedSince: null,
      versionId: null,
      email: null,
      locale: null,
      timezone: null,
    },
  ]);
  for (const path of [patientPath(patient), timeline()]) {
    expect(await doctor.get(path)).toMatchObject({ status: 403, body: needed });
  }
  expect((await patient.patch(ownSite(site), { body: { main: true } })).body.main).toBe(true);
});

test('the patient shares: the physician sees line and page', async () => {
  await patient.patch('/users/me', { body: { locale: 'de-DE', timezone: 'Europe/Berlin' } });
  const { agreedAt } = (await patient.post(agreeing)).body;
  const shared = { locale: 'de-DE', timezone: 'Europe/Berlin' };
  expect(await lines()).toEqual([
    expect.objectContaining({ userId: patient.user, sharedSince: agreedAt, versionId: 'data-sharing-1.0', ...shared }),
  ]);
  const { status, body } = await doctor.get(patientPath(patient));
  const { since } = (await patient.get('/users/me/sites')).body.items[0];
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      userId: patient.user,
      // Users of a deployed stage have one.
      profile: { email: isDeployed() ? expect.stringContaining('@') : null, ...shared },
      sites: [{ siteId: site.siteId, name: 'Sleep clinic of the story', since }],
      consent: {
        agreementId: 'data-sharing',
        versionId: 'data-sharing-1.0',
        recordId: expect.any(String),
        agreedAt,
      },
    },
  });
});

test('the patient writes to the support, an agent answers, and the phone gets one push for it', async () => {
  const phone = { platform: 'android', token: randomUUID(), environment: 'production' };
  const registered = { ...phone, appVersion: '1.0.0', locale: 'en' };
  expect((await patient.put('/users/me/devices/phone', { body: registered })).status).toBe(200);
  const { ticketId } = await openedBy(patient);
  expect((await answeredBy(await agent(), ticketId, 'Try it again')).status).toBe(201);
  const { items } = (await patient.get('/agent-board/messages')).body;
  expect(items).toHaveLength(1);
  if (isDeployed()) return;
  const pushes = async () => {
    const answer = await fetch(new URL(`/_local/pushes?userId=${patient.user}`, baseUrl()));
    return ((await answer.json()) as { items: unknown[] }).items;
  };
  await eventually(async () => expect(await pushes()).toHaveLength(1));
  // A reading is pushed after what was posted before it: of the answer there is no second one.
  await patient.post(`/agent-board/messages/${items[0].messageId}/read`);
  await eventually(async () => expect(JSON.stringify(await pushes())).toContain('badge_sync'));
  const sent = (await pushes()).map((push) => JSON.stringify(push));
  expect(sent.map((push) => [push.includes(items[0].messageId), push.includes('badge_sync')])).toEqual(
    expect.arrayContaining([
      [true, false],
      [false, true],
    ]),
  );
  expect(sent).toHaveLength(2);
  expect(sent.join()).not.toContain('Try it again');
});

test('the physician sees the page and the timeline', async () => {
  const { status, body } = await doctor.get(patientPath(patient));
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      sites: [{ siteId: site.siteId, name: 'Sleep clinic of the story' }],
      entitlements: [],
      adherence: { diaryNights: 1, unitsCompleted: 0, lastDiaryDate: night, lastUnitAt: null, lastResponseAt: null },
      scores: [],
      sleep: { nights: 1, totalSleepMinutes: { mean: 405 } },
      openTickets: [{ state: 'open', priority: 'normal' }],
    },
  });
  // What the patient wrote to the support is for the support.
  expect(JSON.stringify(body)).not.toContain('of the request');
  const kinds: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const page: Awaited<ReturnType<Physician['get']>> = await doctor.get(`${timeline()}?limit=2${more}`);
    expect(page.status).toBe(200);
    kinds.push(...page.body.items.map(({ kind }: { kind: string }) => kind));
    cursor = page.body.metadata.nextCursor;
  }
  expect(kinds).toEqual(['ticket', 'site', 'diary']);
});

test('the patient sees who looked, on which consent, each look once, and nothing of what was refused', async () => {
  const consent = { agreementId: 'data-sharing', recordId: expect.any(String) };
  const look = {
    lookId: expect.any(String),
    at: time,
    name: 'Dr. Ada Example',
    roles: ['physician'],
    site: { siteId: site.siteId, name: 'Sleep clinic of the story' },
    relation: 'care',
  };
  expect(await looksOfSite()).toEqual([
    { ...look, action: 'GET /crm/patients/{userId}/timeline', consent },
    { ...look, action: 'GET /crm/patients/{userId}/timeline', consent },
    { ...look, action: 'GET /crm/patients/{userId}', consent },
    { ...look, action: 'GET /crm/patients/{userId}', consent },
    { ...look, action: 'GET /crm/patients', consent },
    { ...look, action: 'GET /crm/patients', consent: null },
  ]);
});

test('the patient stops sharing: the physician gets 403 at once, with and without a cursor, and no look is logged', async () => {
  const { nextCursor } = (await doctor.get(`${timeline()}?limit=1`)).body.metadata;
  const before = await looks();
  expect((await patient.delete(revoking)).status).toBe(200);
  const cursor = encodeURIComponent(nextCursor);
  for (const path of [patientPath(patient), timeline(), `${timeline()}?limit=1&cursor=${cursor}`]) {
    expect(await doctor.get(path)).toMatchObject({ status: 403, body: needed });
  }
  expect(await looks()).toHaveLength(before.length);
  expect(await lines()).toEqual([expect.objectContaining({ userId: patient.user, sharedSince: null, locale: null })]);
  expect(await looks()).toHaveLength(before.length + 1);
});

test('the patient leaves: there is nobody', async () => {
  expect(await patient.delete(ownSite(site))).toMatchObject({
    status: 200,
    body: { success: true, siteId: site.siteId },
  });
  expect(await doctor.get(patientPath(patient))).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  expect(await lines()).toEqual([]);
  expect((await patient.get('/users/me/sites')).body.items).toEqual([]);
});
