import { describe, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import { admin, newSite, ownSite, patientAt, patientPath, physicianAt, staffPath } from '../crm-sites/people.ts';

const chief = await admin();
const [here, there] = await Promise.all([newSite(chief, 'Here'), newSite(chief, 'There')]);

const path = '/crm/patients';

async function pages(doctor: Awaited<ReturnType<typeof physicianAt>>, query: string) {
  const found: { userId: string; siteId: string; sharedSince: string | null }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const { status, body } = await doctor.get(`${path}?${query}${more}`);
    if (status !== 200) throw new Error(`${status} ${body.code}`);
    found.push(...body.items);
    cursor = body.metadata.nextCursor;
  }
  return found;
}

describe('200', () => {
  test('a patient of two sites has a line at each, and the page names both', async () => {
    const doctor = await physicianAt(chief, [here, there]);
    const patient = await patientAt([here, there], { isSharing: true });
    const own = (await pages(doctor, 'limit=1')).filter(({ userId }) => userId === patient.user);
    expect(own.map(({ siteId }) => siteId)).toEqual([here.siteId, there.siteId].toSorted());
    const { sites } = (await doctor.get(patientPath(patient))).body;
    expect(sites.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Here', 'There']);
    // Who works at one of them sees that one.
    const colleague = await physicianAt(chief, [there]);
    expect((await colleague.get(patientPath(patient))).body.sites).toEqual([
      expect.objectContaining({ siteId: there.siteId }),
    ]);
  });

  test('only one site', async () => {
    const doctor = await physicianAt(chief, [here, there]);
    const patient = await patientAt([there]);
    const lines = await pages(doctor, `limit=100&siteId=${there.siteId}`);
    expect(new Set(lines.map(({ siteId }) => siteId))).toEqual(new Set([there.siteId]));
    expect(lines.map(({ userId }) => userId)).toContain(patient.user);
  });

  test('each once, while some come and go', async () => {
    const [site, other] = await Promise.all([newSite(chief), newSite(chief)]);
    const doctor = await physicianAt(chief, [site, other]);
    const stay = await Promise.all(
      Array.from({ length: 8 }, (_, index) => patientAt(index % 2 ? [site] : [site, other])),
    );
    const leaving = await Promise.all([patientAt([site]), patientAt([other])]);
    const listing = pages(doctor, 'limit=3');
    await Promise.all([
      leaving[0].delete(ownSite(site)),
      leaving[1].delete(ownSite(other)),
      patientAt([site]),
      patientAt([other]),
    ]);
    const lines = (await listing).map(({ userId, siteId }) => `${siteId} ${userId}`);
    expect(new Set(lines).size).toBe(lines.length);
    const expected = stay.flatMap(({ user }, index) => [
      `${site.siteId} ${user}`,
      ...(index % 2 ? [] : [`${other.siteId} ${user}`]),
    ]);
    expect(lines).toEqual(expect.arrayContaining(expected));
  });

  test('nobody for who works nowhere', async () => {
    const doctor = await physicianAt(chief, []);
    expect((await doctor.get(path)).body).toEqual({
      items: [],
      metadata: { limit: 20, count: 0, hasMore: false, nextCursor: null },
    });
  });

  test('who asks for the deletion of the account is in no list and on no page from then on', async () => {
    const site = await newSite(chief);
    const [doctor, patient] = [await physicianAt(chief, [site]), await patientAt([site], { isSharing: true })];
    expect(await pages(doctor, 'limit=5')).toEqual([expect.objectContaining({ userId: patient.user })]);
    await patient.delete('/users/me');
    expect((await doctor.get(path)).body).toMatchObject({ items: [], metadata: { count: 0 } });
    expect(await doctor.get(patientPath(patient))).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
    await patient.post('/users/me/restore');
    // The account is as it was, but for the consent.
    expect(await pages(doctor, 'limit=5')).toEqual([
      expect.objectContaining({ userId: patient.user, sharedSince: null }),
    ]);
    expect(await doctor.get(patientPath(patient))).toMatchObject({ status: 403, body: { code: 'CONSENT_REQUIRED' } });
  });
});

describe('404', () => {
  test("another site, and one that is not there: the caller's list tells neither from the other", async () => {
    const doctor = await physicianAt(chief, [here]);
    for (const siteId of [there.siteId, 'none']) {
      const answer = await doctor.get(`${path}?siteId=${siteId}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND', detail: null } });
    }
  });

  test("a patient of another site, and one of none: as a user who isn't there", async () => {
    const doctor = await physicianAt(chief, [here]);
    const others = [await patientAt([there], { isSharing: true }), await patientAt([], { isSharing: true })];
    for (const { user } of [...others, { user: 'x' }, { user: 'me' }]) {
      const answer = await doctor.get(patientPath({ user }));
      expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND', detail: null } });
    }
    for (const patient of others) expect(await ownLooks(patient)).toEqual([]);
  });

  test('after the removal from one of two sites, its patients; the others stay', async () => {
    const doctor = await physicianAt(chief, [here, there]);
    const [lost, kept] = [
      await patientAt([here], { isSharing: true }),
      await patientAt([here, there], { isSharing: true }),
    ];
    await chief.delete(staffPath(here.siteId, doctor.user));
    expect((await doctor.get(patientPath(lost))).status).toBe(404);
    expect((await doctor.get(patientPath(kept))).body.sites).toHaveLength(1);
    expect((await doctor.get(`${path}?siteId=${here.siteId}`)).status).toBe(404);
  });
});

test("400: another physician's cursor", async () => {
  const site = await newSite(chief);
  const [doctor, colleague] = [await physicianAt(chief, [site]), await physicianAt(chief, [site])];
  await Promise.all([patientAt([site]), patientAt([site])]);
  const { nextCursor } = (await doctor.get(`${path}?limit=1`)).body.metadata;
  const answer = await colleague.get(`${path}?limit=1&cursor=${encodeURIComponent(nextCursor)}`);
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
});

test('403: an admin sees no patients', async () => {
  const patient = await patientAt([here], { isSharing: true });
  expect(await chief.get(path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(await chief.get(patientPath(patient))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});
