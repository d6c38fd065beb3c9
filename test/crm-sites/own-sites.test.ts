import { describe, expect, test } from 'vitest';
import { admin, agreeing, newSite, ownSite, ownSites, patientAt, revoking } from './people.ts';

/** How a patient comes to a site, and leaves it. */

const chief = await admin();
const [site, other] = await Promise.all([newSite(chief, 'One'), newSite(chief, 'Other')]);

const listed = async (patient: Awaited<ReturnType<typeof patientAt>>) => (await patient.get(ownSites)).body.items;

describe('200', () => {
  test('the answer is the same by code, and by site and code; the first date stays', async () => {
    const patient = await patientAt([]);
    const first = await patient.put(ownSite(site), { body: { code: site.code } });
    expect(first).toMatchObject({ status: 200, body: { siteId: site.siteId, name: 'One', timezone: 'Europe/Berlin' } });
    const typed = `${site.code.slice(0, 4)}-${site.code.slice(4)} `.toLowerCase();
    expect((await patient.post(ownSites, { body: { code: typed } })).body).toEqual(first.body);
    expect((await patient.put(ownSite(site), { body: { code: typed } })).body).toEqual(first.body);
  });

  test('two requests at once make one relation', async () => {
    const patient = await patientAt([]);
    const join = () => patient.post(ownSites, { body: { code: site.code } });
    const answers = await Promise.all([join(), join(), join()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.since)).size).toBe(1);
    expect(await listed(patient)).toHaveLength(1);
  });

  test('names the missing agreement as long as it is missing', async () => {
    const patient = await patientAt([]);
    const missing = async () => (await patient.post(ownSites, { body: { code: site.code } })).body.missingAgreementId;
    expect(await missing()).toBe('data-sharing');
    await patient.post(agreeing);
    expect(await missing()).toBe(null);
    await patient.delete(revoking);
    expect(await missing()).toBe('data-sharing');
  });

  test('pages of two sites', async () => {
    const patient = await patientAt([site, other]);
    const first = (await patient.get(`${ownSites}?limit=1`)).body;
    const second = (await patient.get(`${ownSites}?limit=1&cursor=${encodeURIComponent(first.metadata.nextCursor)}`))
      .body;
    expect([first.metadata.hasMore, second.metadata.hasMore]).toEqual([true, false]);
    const names = [...first.items, ...second.items].map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['One', 'Other']);
  });

  test('leaving succeeds, even if the patient never joined', async () => {
    const patient = await patientAt([site, other]);
    expect((await patient.delete(ownSite(site))).status).toBe(200);
    expect((await patient.delete(ownSite(site))).status).toBe(200);
    expect((await patient.delete(ownSite({ siteId: 'none' }))).status).toBe(200);
    expect(await listed(patient)).toEqual([expect.objectContaining({ siteId: other.siteId })]);
  });

  test('joining again has the new date', async () => {
    const patient = await patientAt([site]);
    const [{ since }] = await listed(patient);
    await patient.delete(ownSite(site));
    const back = await patient.post(ownSites, { body: { code: site.code } });
    expect(back.body.since > since).toBe(true);
  });
});

describe('400: a text that cannot be a code does not count as a try', () => {
  test.each([
    ['none', {}],
    ['seven', { code: 'ACDEFGH' }],
    ['a zero for an O', { code: '0CDEFGHJ' }],
    ['a number', { code: 12345678 }],
    ['very long', { code: 'A'.repeat(100_000) }],
    ['with another alphabet’s A', { code: 'АCDEFGHJ' }],
  ])('%s', async (_name, body) => {
    const patient = await patientAt([]);
    const answer = await patient.post(ownSites, { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'body', path: 'code' }] } },
    });
  });
});

describe('404: the same answer for every reason', () => {
  test('an unknown code, a code of another site, and a site that does not exist', async () => {
    const patient = await patientAt([]);
    const answers = [
      await patient.post(ownSites, { body: { code: 'AAAAAAAA' } }),
      await patient.put(ownSite(site), { body: { code: other.code } }),
      await patient.put(ownSite({ siteId: 'none' }), { body: { code: site.code } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, { code: 'SITE_NOT_FOUND', message: expect.any(String), detail: null }]);
    }
    expect(await listed(patient)).toEqual([]);
  });
});

test('429 after ten wrong codes, also with the right one, and only for this user', async () => {
  const [patient, another] = [await patientAt([other]), await patientAt([])];
  const guess = (code: string) => patient.post(ownSites, { body: { code } });
  const wrong = await Promise.all(Array.from('ACDEFGHJKMNP', (letter) => guess(`AAAAAAA${letter}`)));
  const statuses = wrong.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429]);
  const locked = await guess(site.code);
  expect(locked).toMatchObject({ status: 429, body: { code: 'SITE_CODE_LOCKED' } });
  expect(locked.headers.get('retry-after')).toBe('3600');
  // What the patient is with already needs no code.
  expect((await guess(other.code)).status).toBe(200);
  expect((await another.post(ownSites, { body: { code: site.code } })).status).toBe(200);
});
