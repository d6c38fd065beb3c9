import { describe, expect, test } from 'vitest';
import { call, client, isDeployed } from '../api.ts';

const list = '/users/agreements';
const agree = '/agreements/versions/marketing-1.0/agree';
const consent = '/users/agreements/marketing/consent';

describe('200', () => {
  test('a collection of agreement items in catalogue order, and its metadata', async () => {
    const user = await client();
    const { status, body } = await user.get(list);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['items', 'metadata']);
    expect(body.items.map((item: { agreementId: string }) => item.agreementId)).toEqual([
      'terms-of-service',
      'privacy-policy',
      'marketing',
      'research-data',
      'data-sharing',
    ]);
    expect(body.items[0]).toEqual({
      agreementId: 'terms-of-service',
      versionId: 'terms-of-service-1.0',
      isRequired: true,
      agreed: false,
      isAgreeable: true,
      title: 'Terms of service',
      contentUrl: 'https://content.example.com/sleepcare/terms-of-service/1.0/en.md',
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      locale: 'en',
      // A deployed stage's catalogue was published some time.
      effectiveFrom: isDeployed() ? expect.stringMatching(/^\d{4}-.*Z$/) : '2026-01-01T00:00:00.000Z',
      agreedVersionId: null,
      agreedAt: null,
      revokedAt: null,
      endedAt: null,
      reconsentRequired: false,
    });
    expect(body.metadata).toEqual({ limit: 100, count: 5, hasMore: false, nextCursor: null });
  });

  test('agreed follows the latest consent record of the same agreement', async () => {
    const user = await client();
    const item = async () => (await user.get(list)).body.items[2];
    expect(await item()).toMatchObject({ agreed: false, isAgreeable: true });
    const { agreedAt } = (await user.post(agree)).body;
    expect(await item()).toMatchObject({
      agreed: true,
      isAgreeable: true,
      agreedVersionId: 'marketing-1.0',
      agreedAt,
      revokedAt: null,
    });
    const { revokedAt } = (await user.delete(consent)).body;
    expect(await item()).toMatchObject({ agreed: false, agreedVersionId: null, agreedAt: null, revokedAt });
    await user.post(agree);
    expect(await item()).toMatchObject({ agreed: true, revokedAt: null });
  });

  test("one user's consents are not another's", async () => {
    const [one, other] = await Promise.all([client(), client()]);
    await one.post(agree);
    expect((await other.get(list)).body.items[2].agreed).toBe(false);
    expect((await other.get('/users/agreements/marketing/history')).body.items).toEqual([]);
  });

  test('each application has its own catalogue', async () => {
    const physician = await client({ roles: 'physician', application: 'medinfo' });
    const ids = (await physician.get(list)).body.items.map((item: { agreementId: string }) => item.agreementId);
    expect(ids).toEqual(['medinfo-terms-of-service', 'medinfo-privacy-policy', 'medinfo-newsletter']);
  });

  test.each([
    ['the query', '?locale=de', { 'Accept-Language': 'en' }, 'de'],
    ['Accept-Language where the query is silent', '', { 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.1' }, 'de'],
    ['the default where neither fits', '?locale=fr', { 'Accept-Language': 'it' }, 'en'],
    ['the default where the header is garbage', '', { 'Accept-Language': ';;q=,,de;q=x' }, 'en'],
  ])('the language is that of %s', async (_name, query, headers, locale) => {
    const user = await client();
    const [item] = (await user.get(`${list}${query}`, { headers })).body.items;
    expect(item.locale).toBe(locale);
    expect(item.title).toBe(locale === 'de' ? 'Nutzungsbedingungen' : 'Terms of service');
  });

  test('pages hold every item once', async () => {
    const user = await client();
    const first = (await user.get(`${list}?limit=3`)).body;
    expect(first.metadata).toEqual({ limit: 3, count: 3, hasMore: true, nextCursor: expect.any(String) });
    const cursor = encodeURIComponent(first.metadata.nextCursor);
    const second = (await user.get(`${list}?limit=3&cursor=${cursor}`)).body;
    expect(second.items.map((item: { agreementId: string }) => item.agreementId)).toEqual([
      'research-data',
      'data-sharing',
    ]);
    expect(second.metadata).toEqual({ limit: 3, count: 2, hasMore: false, nextCursor: null });
  });

  test('undeclared query parameters are dropped, also twice', async () => {
    const user = await client();
    expect((await user.get(`${list}?userId=x&userId=y&__proto__=z`)).body.items).toHaveLength(5);
  });
});

describe('304', () => {
  type Reader = Awaited<ReturnType<typeof client>>;
  const etagOf = async (user: Reader, query = '') => (await user.get(`${list}${query}`)).headers.get('etag') ?? '';
  const ask = (user: Reader, tag: string, query = '', language = 'en') =>
    user.get(`${list}${query}`, { headers: { 'If-None-Match': tag, 'Accept-Language': language } });

  test('a page that says nothing new, first, later or whole', async () => {
    const user = await client();
    await user.post(agree);
    const { headers } = await user.get(list);
    expect(headers.get('cache-control')).toBe('no-store');
    const { nextCursor } = (await user.get(`${list}?limit=3`)).body.metadata;
    for (const query of ['', '?limit=3', `?limit=3&cursor=${nextCursor}`]) {
      const tag = await etagOf(user, query);
      expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
      const again = await ask(user, tag, query);
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, tag]);
      // A client may name several.
      expect((await ask(user, `"other", ${tag}`, query)).status).toBe(304);
    }
    await user.post(agree);
    expect(await etagOf(user)).toBe(headers.get('etag'));
  });

  test('not after a consent, a revocation, or another consent', async () => {
    const user = await client();
    const tags = [await etagOf(user)];
    for (const change of [() => user.post(agree), () => user.delete(consent), () => user.post(agree)]) {
      await change();
      const { status, headers } = await ask(user, tags.join(', '));
      expect(status).toBe(200);
      tags.push(headers.get('etag') ?? '');
    }
    expect(new Set(tags).size).toBe(4);
  });

  test('not in another language, for another page size, or for another user', async () => {
    const [user, other] = await Promise.all([client(), client()]);
    const tag = await etagOf(user);
    expect((await ask(user, tag)).status).toBe(304);
    expect((await ask(user, tag, '', 'de')).status).toBe(200);
    expect((await ask(user, tag, '?locale=de')).status).toBe(200);
    expect((await ask(user, tag, '?limit=3')).status).toBe(200);
    expect((await ask(other, tag)).status).toBe(200);
  });
});

describe('400', () => {
  test.each(['0', '101', '-1', '1.5', 'ten', '', '1e1', '9999999999'])('limit=%s', async (limit) => {
    const user = await client();
    expect(await user.get(`${list}?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'query', path: 'limit' }] } },
    });
  });

  test('a repeated parameter', async () => {
    const user = await client();
    expect(await user.get(`${list}?locale=de&locale=en`)).toMatchObject({
      status: 400,
      body: { detail: { issues: [{ in: 'query', path: 'locale', code: 'repeated', message: 'must be given once' }] } },
    });
  });

  test('a cursor that is altered, foreign or made up', async () => {
    const [user, other] = await Promise.all([client(), client()]);
    const { nextCursor } = (await user.get(`${list}?limit=1`)).body.metadata;
    const altered = `${nextCursor.slice(0, -2)}${nextCursor.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const answer of [
      await user.get(`${list}?cursor=${altered}`),
      await user.get(`${list}?cursor=bWFkZS11cA`),
      await other.get(`${list}?cursor=${nextCursor}`),
      await user.get(`/users/agreements/marketing/history?cursor=${nextCursor}`),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR', detail: null } });
    }
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('GET', list)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});
