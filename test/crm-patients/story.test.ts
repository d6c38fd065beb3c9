import { beforeAll, expect, test } from 'vitest';
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

/** From the making of a site to the leaving of it, step by step, as the people meet it. */

let chief: Admin;
let site: Site;
let doctor: Physician;
let patient: Patient;
beforeAll(async () => {
  [chief, doctor, patient] = await Promise.all([admin(), physician(), patientAt([])]);
  site = await newSite(chief, 'Sleep clinic of the story');
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const lines = async () => (await doctor.get('/crm/patients')).body.items;
const looks = async () => (await patient.get('/users/me/access-log')).body.items;

test('an administrator puts a physician to work at a site', async () => {
  const added = await chief.put(staffPath(site.siteId, doctor.user), { body: { name: 'Dr. Ada Example' } });
  expect(added).toMatchObject({ status: 200, body: { siteId: site.siteId, userId: doctor.user, since: time } });
  expect(await doctor.get('/crm/patients')).toMatchObject({ status: 200, body: { items: [] } });
  expect(await doctor.get(patientPath(patient))).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
});

test('a patient comes to the site: the physician sees that, and no more', async () => {
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
  expect(await doctor.get(patientPath(patient))).toMatchObject({
    status: 403,
    body: { code: 'CONSENT_REQUIRED', detail: { agreementId: 'data-sharing' } },
  });
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
      profile: { email: null, ...shared },
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

test('the patient sees who looked, on which consent, and nothing of what was refused', async () => {
  const consent = { agreementId: 'data-sharing', recordId: expect.any(String) };
  const look = {
    lookId: expect.any(String),
    at: time,
    name: 'Dr. Ada Example',
    roles: ['physician'],
    site: { siteId: site.siteId, name: 'Sleep clinic of the story' },
    relation: 'care',
  };
  expect(await looks()).toEqual([
    { ...look, action: 'GET /crm/patients/{userId}', consent },
    { ...look, action: 'GET /crm/patients', consent },
    { ...look, action: 'GET /crm/patients', consent: null },
  ]);
});

test('the patient stops sharing: the next request is refused', async () => {
  const before = await looks();
  expect((await patient.delete(revoking)).status).toBe(200);
  expect(await doctor.get(patientPath(patient))).toMatchObject({ status: 403, body: { code: 'CONSENT_REQUIRED' } });
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
