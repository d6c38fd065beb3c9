import { describe, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import { admin, newSite, ownSite, patientAt, physicianAt, type Site } from './people.ts';

/** What administrators change of sites, how they find them, and which one a patient calls the main one. */

const chief = await admin();

const pathOf = ({ siteId }: Pick<Site, 'siteId'>) => `/crm/sites/${siteId}`;
const change = (site: Site, body: object, tag = '"1"') =>
  chief.patch(pathOf(site), { body, headers: { 'if-match': tag } });
const remove = (site: Site, tag: string) => chief.delete(pathOf(site), { headers: { 'if-match': tag } });

const nineToFive = [{ from: '09:00', to: '17:00' }];
const openingHours = {
  monday: nineToFive,
  tuesday: nineToFive,
  wednesday: [],
  thursday: nineToFive,
  friday: [
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '15:30' },
  ],
  saturday: [],
  sunday: [],
};
const address = { street: 'Wilhelmstraße 1', postalCode: '10963', city: 'Berlin', country: 'DE' };
const details = { address, phone: '+49 30 7654321', openingHours, holidays: ['2026-12-24'] };

/** A name that no other test's site begins with. */
const unlike = () => `Zz${Math.random().toString(36).slice(2, 12)}`;

describe('PATCH', () => {
  test('200: only the sent fields change; the audit event has the values before and after', async () => {
    const site = await newSite(chief);
    const changed = await change(site, details);
    expect(changed).toMatchObject({ status: 200, body: { ...site, ...details } });
    expect(changed.headers.get('etag')).toBe('"2"');
    const back = await change(site, { phone: null, timezone: 'europe/vienna' }, '"2"');
    expect(back.body).toEqual({ ...site, ...details, phone: null, timezone: 'Europe/Vienna' });
    expect((await chief.get(pathOf(site))).body).toEqual(back.body);
    const { items } = (await chief.get(`/admin/audit-events?subject=site/${site.siteId}`)).body;
    expect(items[0]).toMatchObject({
      action: 'site.changed',
      before: { phone: details.phone, timezone: 'Europe/Berlin' },
      after: { phone: null, timezone: 'Europe/Vienna' },
    });
    expect(JSON.stringify(items)).not.toContain(site.code);
  });

  test('200: without a new value nothing changes', async () => {
    const site = await newSite(chief);
    const same = await change(site, { name: site.name });
    expect([same.status, same.headers.get('etag')]).toEqual([200, '"1"']);
  });

  test('200: nobody can be added to a closed site, and its people stay', async () => {
    const site = await newSite(chief);
    const [patient, doctor] = [await patientAt([site]), await physicianAt(chief, [site])];
    expect((await change(site, { status: 'closed' })).body.status).toBe('closed');
    const late = await patientAt([]);
    const refused = await late.post('/users/me/sites', { body: { code: site.code } });
    expect(refused).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND' } });
    const staff = `${pathOf(site)}/staff`;
    const colleague = await physicianAt(chief, []);
    const put = await chief.put(`${staff}/${colleague.user}`, { body: { name: 'Dr. Late' } });
    expect(put).toMatchObject({ status: 409, body: { code: 'SITE_CLOSED' } });
    expect((await chief.put(`${staff}/${doctor.user}`, { body: { name: 'Dr. Renamed' } })).status).toBe(200);
    expect((await patient.get('/users/me/sites')).body.items).toHaveLength(1);
  });

  test('412 and 428: a caller who has not seen the present state', async () => {
    const site = await newSite(chief);
    await change(site, { name: 'Other' });
    expect(await change(site, { name: 'Third' })).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    // The answer was lost, and the same change comes again.
    expect(await change(site, { name: 'Other' })).toMatchObject({ status: 200, body: { name: 'Other' } });
    expect(await chief.patch(pathOf(site), { body: { name: 'Third' } })).toMatchObject({ status: 428 });
    expect((await chief.get(pathOf(site))).body.name).toBe('Other');
  });

  test.each<[string, object, string]>([
    ['a number without its country', { phone: '030 1234567' }, 'phone'],
    ['a country of three letters', { address: { ...address, country: 'DEU' } }, 'address.country'],
    ['a postal code with markup', { address: { ...address, postalCode: '<b>' } }, 'address.postalCode'],
    [
      'hours that overlap',
      { openingHours: { ...openingHours, sunday: [...nineToFive, ...nineToFive] } },
      'openingHours.sunday',
    ],
    ['a day that is left out', { openingHours: { monday: [] } }, 'openingHours.tuesday'],
    [
      'a time that is none',
      { openingHours: { ...openingHours, sunday: [{ from: '25:00', to: '26:00' }] } },
      'openingHours.sunday[0].from',
    ],
    [
      'a site that is never open',
      { openingHours: Object.fromEntries(Object.keys(openingHours).map((day) => [day, []])) },
      'openingHours',
    ],
    ['a holiday that is no date', { holidays: ['2026-02-30'] }, 'holidays[0]'],
    ['a state that is none', { status: 'deleted' }, 'status'],
  ])('400: %s', async (_case, body, path) => {
    const site = await newSite(chief);
    const { status, body: answer } = await change(site, body);
    expect([status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.detail.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  test('404', async () => {
    const nobody = { siteId: 'none', code: '', name: '' };
    expect(await change(nobody, { name: 'x' })).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND' } });
    expect(await remove(nobody, '"1"')).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND' } });
  });
});

describe('DELETE', () => {
  test('409 while it is open or has people; after the deletion the patient still sees whose staff looked', async () => {
    const site = await newSite(chief, 'Site that was');
    const [doctor, patient] = [await physicianAt(chief, [site]), await patientAt([site], { isSharing: true })];
    expect((await doctor.get(`/crm/patients/${patient.user}`)).status).toBe(200);
    expect(await remove(site, '"1"')).toMatchObject({ status: 409, body: { code: 'SITE_IN_USE' } });
    await change(site, { status: 'closed' });
    expect(await remove(site, '"2"')).toMatchObject({ status: 409, body: { code: 'SITE_IN_USE' } });
    await patient.delete(ownSite(site));
    expect(await remove(site, '"2"')).toMatchObject({ status: 409, body: { code: 'SITE_IN_USE' } });
    await chief.delete(`${pathOf(site)}/staff/${doctor.user}`);
    expect(await remove(site, '"1"')).toMatchObject({ status: 412 });
    expect(await remove(site, '"2"')).toMatchObject({ status: 200, body: { success: true, siteId: site.siteId } });
    expect((await chief.get(pathOf(site))).status).toBe(404);
    const [look] = await ownLooks(patient);
    expect(look).toMatchObject({ site: { siteId: site.siteId, name: 'Site that was' } });
  });
});

describe('the search', () => {
  const found = async (query: string) => {
    const { status, body } = await chief.get(`/crm/sites?${query}`);
    expect(status).toBe(200);
    return body.items.map(({ name }: { name: string }) => name);
  };

  test('by the beginning of the name, ignoring case and accents, sorted, page by page', async () => {
    const name = unlike();
    const names = [`${name} Müller`, `${name} mueller-Süd`, `${name} Muller Nord`, `${name} Nagel`];
    for (const each of names) await newSite(chief, each);
    const wanted = encodeURIComponent(`${name.toUpperCase()} MÜL`);
    expect(await found(`name=${wanted}`)).toEqual([names[0], names[2], names[1]]);
    const page = await chief.get(`/crm/sites?name=${wanted}&limit=2`);
    const { nextCursor } = page.body.metadata;
    expect(await found(`name=${wanted}&limit=2&cursor=${encodeURIComponent(nextCursor)}`)).toEqual([names[1]]);
  });

  test('a cursor of another search finds nothing, and causes no error', async () => {
    const name = unlike();
    for (const each of ['One', 'Two']) await newSite(chief, `${name} ${each}`);
    const of = (query: string) => chief.get(`/crm/sites?limit=1&${query}`);
    const cursor = encodeURIComponent((await of(`name=${name}`)).body.metadata.nextCursor);
    for (const other of ['name=0', `name=${name} Two`, 'name=zzzz', 'postalCode=1']) {
      const { status, body } = await of(`${other}&cursor=${cursor}`);
      expect([status, body.items]).toEqual([200, []]);
    }
    expect((await of(`cursor=${cursor}`)).status).toBe(200);
  });

  test('by the beginning of the postal code; a new address is found, the old one no longer', async () => {
    const postalCode = `9${Math.random().toString().slice(2, 12)}`;
    const site = await newSite(chief, unlike());
    await change(site, { address: { ...address, postalCode: `${postalCode.slice(0, 4)} ${postalCode.slice(4)}` } });
    expect(await found(`postalCode=${postalCode}`)).toEqual([site.name]);
    expect(await found(`postalCode=${postalCode.slice(0, 9)}`)).toEqual([site.name]);
    await change(site, { address }, '"2"');
    expect(await found(`postalCode=${postalCode}`)).toEqual([]);
  });

  test.each(['name=%20', 'name=!!!', 'postalCode=-', 'name=a&postalCode=1', 'name='])('400: %s', async (query) => {
    expect(await chief.get(`/crm/sites?${query}`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe('the main site', () => {
  test('is the last choice of the patient, and none after the patient has left it', async () => {
    const [here, there] = [await newSite(chief), await newSite(chief)];
    const patient = await patientAt([here, there]);
    const choose = (site: Site, main: boolean) => patient.patch(ownSite(site), { body: { main } });
    const mains = async () => {
      const { items } = (await patient.get('/users/me/sites')).body;
      return items.filter(({ main }: { main: boolean }) => main).map(({ siteId }: { siteId: string }) => siteId);
    };
    expect(await mains()).toEqual([]);
    expect(await choose(here, true)).toMatchObject({ status: 200, body: { siteId: here.siteId, main: true } });
    await choose(there, true);
    expect(await mains()).toEqual([there.siteId]);
    // Whoever is with the site already comes again: it stays the main one.
    expect((await patient.post('/users/me/sites', { body: { code: there.code } })).body.main).toBe(true);
    await patient.delete(ownSite(there));
    expect(await mains()).toEqual([]);
    expect(await choose(there, true)).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND' } });
    await choose(here, true);
    expect((await choose(here, false)).body.main).toBe(false);
    expect(await mains()).toEqual([]);
  });
});
