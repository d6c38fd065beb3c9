import { beforeAll, expect, test } from 'vitest';
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

test('the patient writes to the support, an agent answers, and the patient gets one message', async () => {
  const { ticketId } = await openedBy(patient);
  expect((await answeredBy(await agent(), ticketId, 'Try it again')).status).toBe(201);
  expect((await patient.get('/agent-board/messages')).body.items).toHaveLength(1);
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
