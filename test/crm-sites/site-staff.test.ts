import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { seededUsers } from '../../functions/product.ts';
import { ownLooks } from '../access-log/own-looks.ts';
import { client } from '../api.ts';
import { admin, newSite, patientAt, patientPath, physician, physicianAt, staffPath } from './people.ts';

const chief = await admin();
const site = await newSite(chief);
const patient = await patientAt([site], { isSharing: true });

const put = (userId: string, name: string, at = site) => chief.put(staffPath(at.siteId, userId), { body: { name } });

describe('200', () => {
  test('adding somebody again keeps the first date; another name replaces the name', async () => {
    const doctor = await physician();
    const first = await put(doctor.user, 'Dr. A');
    expect(first).toMatchObject({ status: 200, body: { siteId: site.siteId, userId: doctor.user, name: 'Dr. A' } });
    expect((await put(doctor.user, 'Dr. A')).body).toEqual(first.body);
    expect((await put(doctor.user, 'Dr. B')).body).toEqual({ ...first.body, name: 'Dr. B' });
    const subject = `site/${site.siteId}/staff/${doctor.user}`;
    const events = (await chief.get(`/admin/audit-events?subject=${subject}`)).body.items;
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['site.staff-renamed', 'site.staff-added']);
    expect(JSON.stringify(events)).not.toMatch(/Dr\. [AB]/);
    await doctor.get(patientPath(patient));
    expect((await ownLooks(patient))[0]).toMatchObject({ name: 'Dr. B' });
  });

  test('the staff of a site, page by page', async () => {
    const at = await newSite(chief);
    const staff = [await physicianAt(chief, [at], 'Dr. A'), await physicianAt(chief, [at], 'Dr. B')];
    const path = `/crm/sites/${at.siteId}/staff`;
    const first = (await chief.get(`${path}?limit=1`)).body;
    const second = (await chief.get(`${path}?limit=1&cursor=${encodeURIComponent(first.metadata.nextCursor)}`)).body;
    expect([first.metadata.hasMore, second.metadata.hasMore]).toEqual([true, false]);
    const found = [...first.items, ...second.items].map(({ userId, name }) => `${userId} ${name}`);
    expect(found).toEqual([`${staff[0]?.user} Dr. A`, `${staff[1]?.user} Dr. B`].toSorted());
  });

  test('a name is only text', async () => {
    const doctor = await physician();
    const name = '"><script>alert(1)</script>';
    expect((await put(doctor.user, name)).body.name).toBe(name);
  });

  test('a person who has an account and has never signed in', async () => {
    const { name } = seededUsers.find(({ roles }) => roles.includes('admin')) ?? { name: '' };
    const seeded = await client({ user: name, roles: 'admin', application: 'medinfo' });
    expect((await put(seeded.user, 'The administrator')).status).toBe(200);
  });

  test('after the removal the next request gets nothing; a second removal succeeds', async () => {
    const doctor = await physicianAt(chief, [site]);
    expect((await doctor.get(patientPath(patient))).status).toBe(200);
    const removed = await chief.delete(staffPath(site.siteId, doctor.user));
    expect(removed).toMatchObject({ status: 200, body: { success: true, siteId: site.siteId, userId: doctor.user } });
    expect(await doctor.get(patientPath(patient))).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
    expect((await doctor.get('/crm/patients')).body.items).toEqual([]);
    expect((await chief.delete(staffPath(site.siteId, doctor.user))).status).toBe(200);
    const listed = (await chief.get(`/crm/sites/${site.siteId}/staff?limit=100`)).body.items;
    expect(listed.map(({ userId }: { userId: string }) => userId)).not.toContain(doctor.user);
  });
});

describe('404', () => {
  test('an unknown user, and a patient', async () => {
    for (const userId of [randomUUID(), patient.user, 'x', 'me']) {
      expect(await put(userId, 'Nobody')).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
    }
  });

  test('a site that does not exist', async () => {
    const doctor = await physician();
    const none = { ...site, siteId: 'none' };
    expect(await put(doctor.user, 'Dr. A', none)).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND' } });
    expect(await chief.get('/crm/sites/none/staff')).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND' } });
  });

  test('a member of staff who requested the deletion of the account', async () => {
    const doctor = await physician();
    await doctor.delete('/users/me');
    expect(await put(doctor.user, 'Dr. A')).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  });
});

test.each([
  ['no name', {}],
  ['a blank one', { name: ' ' }],
  ['a control character', { name: 'a\u0007b' }],
])('400: %s', async (_name, body) => {
  const answer = await chief.put(staffPath(site.siteId, patient.user), { body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
});
