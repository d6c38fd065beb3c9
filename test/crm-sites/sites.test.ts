import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Id } from '../../lib/contract/fields.ts';
import { admin, newSite, patientAt, physician } from './people.ts';

/** What administrators do with sites. */

const chief = await admin();

const wanted = { name: 'Praxis Dr. Müller', timezone: 'Europe/Vienna' };
const code = expect.stringMatching(/^[ACDEFGHJKMNPQRTUVWXY34679]{8}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const auditOf = async (siteId: string) => (await chief.get(`/admin/audit-events?subject=site/${siteId}`)).body.items;

describe('201: a site is created', () => {
  test('open, with its own code, and an audit event', async () => {
    const { status, body } = await chief.post('/crm/sites', { body: wanted });
    expect(status).toBe(201);
    const unsaid = { address: null, phone: null, openingHours: null, holidays: null };
    expect(body).toEqual({ siteId: expect.any(String), ...wanted, ...unsaid, status: 'open', code, createdAt: time });
    expect(Id.safeParse(body.siteId).success).toBe(true);
    const [event] = await auditOf(body.siteId);
    expect(event).toMatchObject({ action: 'site.created', before: null, after: { ...wanted, status: 'open' } });
    expect(JSON.stringify(event)).not.toContain(body.code);
  });

  test('two requests with one key make one site', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const [one, other] = await Promise.all([
      chief.post('/crm/sites', { body: wanted, headers }),
      chief.post('/crm/sites', { body: wanted, headers }),
    ]);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.body).toEqual(one.body);
    const changed = await chief.post('/crm/sites', { body: { ...wanted, name: 'Another' }, headers });
    expect(changed).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  test.each([
    ['markup', '<img src=x onerror=alert(1)>'],
    ['what would be another part of a key', 'site#profile'],
    ['quotes and a brace', '","status":"closed"}'],
    ['a writing direction turned', 'Praxis \u202eelgnurF'],
    ['200 characters of four bytes each', '🛌'.repeat(100)],
  ])('a name is text and no more: %s', async (_name, name) => {
    const { siteId } = await newSite(chief, name);
    const read = await chief.get(`/crm/sites/${siteId}`);
    expect(read.body).toMatchObject({ siteId, name, status: 'open' });
    expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('blanks around a name are removed, and a zone gets the spelling of the registry', async () => {
    const { body } = await chief.post('/crm/sites', { body: { name: '  Praxis  ', timezone: 'europe/berlin' } });
    expect(body).toMatchObject({ name: 'Praxis', timezone: 'Europe/Berlin' });
  });
});

describe('200', () => {
  test('a site, with the ETag of its state, which a new code changes', async () => {
    const site = await newSite(chief);
    const before = await chief.get(`/crm/sites/${site.siteId}`);
    expect(before).toMatchObject({ status: 200, body: site });
    await chief.post(`/crm/sites/${site.siteId}/code`);
    const after = await chief.get(`/crm/sites/${site.siteId}`);
    expect([before, after].map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"2"']);
  });

  test('pages of all sites, each once, in the order in which they were created', async () => {
    const made = [await newSite(chief), await newSite(chief), await newSite(chief)].map(({ siteId }) => siteId);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { body } = await chief.get(`/crm/sites?limit=100${query}`);
      found.push(...body.items.map(({ siteId }: { siteId: string }) => siteId));
      cursor = body.metadata.nextCursor;
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((siteId) => made.includes(siteId))).toEqual(made);
  });

  test('another code: the old code stops working, the new one works, and the patients stay', async () => {
    const site = await newSite(chief);
    const patient = await patientAt([site]);
    const renewed = await chief.post(`/crm/sites/${site.siteId}/code`);
    expect(renewed).toMatchObject({ status: 200, body: { siteId: site.siteId, code } });
    expect(renewed.body.code).not.toBe(site.code);
    const late = await patientAt([]);
    const refused = await late.post('/users/me/sites', { body: { code: site.code } });
    expect(refused).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND' } });
    expect((await late.post('/users/me/sites', { body: { code: renewed.body.code } })).status).toBe(200);
    expect((await patient.get('/users/me/sites')).body.items).toHaveLength(1);
    const actions = (await auditOf(site.siteId)).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['site.code-renewed', 'site.created']);
  });

  test('two requests with one key renew the code once', async () => {
    const { siteId } = await newSite(chief);
    const headers = { 'Idempotency-Key': randomUUID() };
    const renew = () => chief.post(`/crm/sites/${siteId}/code`, { headers });
    const [one, other] = await Promise.all([renew(), renew()]);
    expect([one.status, other.body]).toEqual([200, one.body]);
    expect((await chief.get(`/crm/sites/${siteId}`)).body.code).toBe(one.body.code);
  });
});

describe('400', () => {
  test.each<[string, unknown, string]>([
    ['no name', { timezone: 'Europe/Berlin' }, 'name'],
    ['a blank name', { ...wanted, name: ' \t' }, 'name'],
    ['a name of two lines', { ...wanted, name: 'a\nb' }, 'name'],
    ['a name of 201', { ...wanted, name: 'x'.repeat(201) }, 'name'],
    ['half a surrogate pair', '{"name":"\\ud83d","timezone":"Europe/Berlin"}', 'name'],
    ['an offset for a zone', { ...wanted, timezone: '+01:00' }, 'timezone'],
    ['a zone that is none', { ...wanted, timezone: 'Europe/Atlantis' }, 'timezone'],
  ])('%s', async (_name, body, path) => {
    const answer = await chief.post('/crm/sites', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', detail: { issues: [{ path }] } } });
  });
});

describe('403', () => {
  test('a physician cannot make a site or add people to it', async () => {
    const doctor = await physician();
    const { siteId } = await newSite(chief);
    expect(await doctor.post('/crm/sites', { body: wanted })).toMatchObject({ status: 403 });
    const itself = await doctor.put(`/crm/sites/${siteId}/staff/${doctor.user}`, { body: { name: 'Me' } });
    expect(itself).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

describe('404', () => {
  test.each(['none', 'me', 'a%20b', 'site%23x', 'x'.repeat(65)])('%s', async (siteId) => {
    for (const ask of [() => chief.get(`/crm/sites/${siteId}`), () => chief.post(`/crm/sites/${siteId}/code`)]) {
      expect(await ask()).toMatchObject({ status: 404, body: { code: 'SITE_NOT_FOUND', detail: null } });
    }
  });
});
