import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { baseUrl, isDeployed } from '../api.ts';
import {
  type Admin,
  admin,
  agreeing,
  newSite,
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

/** A patient between site, physician and support, as it is meant to be: from the making of the site to the end of the sharing. */

let chief: Admin;
let site: Site;
let doctor: Physician;
let patient: Patient;
beforeAll(async () => {
  [chief, doctor, patient] = await Promise.all([admin(), physician(), patientAt([])]);
});

const timeline = () => `${patientPath(patient)}/timeline`;
const night = daysAgo(1);

test('an administrator makes a site and a physician; the patient joins by its code, and shares', async () => {
  site = await newSite(chief, 'Site of the care story');
  await chief.put(staffPath(site.siteId, doctor.user), { body: { name: 'Dr. Ada Example' } });
  expect((await patient.post('/users/me/sites', { body: { code: site.code } })).status).toBe(200);
  expect((await patient.patch(`/users/me/sites/${site.siteId}`, { body: { main: true } })).body.main).toBe(true);
  expect((await patient.put(`/sleep/entries/${night}`, { body: entryOf(night) })).status).toBe(200);
  for (const path of [patientPath(patient), timeline()]) {
    expect(await doctor.get(path)).toMatchObject({ status: 403, body: { code: 'CONSENT_REQUIRED' } });
  }
  expect((await patient.post(agreeing)).status).toBe(200);
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
      sites: [{ siteId: site.siteId, name: 'Site of the care story' }],
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

test('the patient sees who looked, each look once', async () => {
  const { items } = (await patient.get('/users/me/access-log')).body;
  const actions = items.filter(({ site: at }: { site: object | null }) => at !== null);
  expect(actions.map(({ action, name }: { action: string; name: string }) => `${name}: ${action}`)).toEqual([
    'Dr. Ada Example: GET /crm/patients/{userId}/timeline',
    'Dr. Ada Example: GET /crm/patients/{userId}/timeline',
    'Dr. Ada Example: GET /crm/patients/{userId}',
  ]);
});

test('the patient stops sharing: the physician gets 403 at once, with and without a cursor, and no look is logged', async () => {
  const { nextCursor } = (await doctor.get(`${timeline()}?limit=1`)).body.metadata;
  const before = (await patient.get('/users/me/access-log')).body.items.length;
  expect((await patient.delete(revoking)).status).toBe(200);
  const cursor = encodeURIComponent(nextCursor);
  for (const path of [patientPath(patient), timeline(), `${timeline()}?limit=1&cursor=${cursor}`]) {
    expect(await doctor.get(path)).toMatchObject({
      status: 403,
      body: { code: 'CONSENT_REQUIRED', detail: { agreementId: 'data-sharing' } },
    });
  }
  expect((await patient.get('/users/me/access-log')).body.items).toHaveLength(before);
});
