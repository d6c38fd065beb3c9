import { describe, expect, test } from 'vitest';
import { baseUrl, call, client, signIn } from '../api.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const marketing = '/agreements/versions/marketing-1.0/agree';
const historyOfMarketing = '/users/agreements/marketing/history';

describe('200', () => {
  test('a first consent creates a record and returns the consent result', async () => {
    const user = await client();
    const { status, body } = await user.post(marketing);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      agreementId: 'marketing',
      versionId: 'marketing-1.0',
      agreed: true,
      agreedAt: expect.stringMatching(timestamp),
    });
    const history = (await user.get(historyOfMarketing)).body.items;
    expect(history).toHaveLength(1);
    expect(history[0]).toMatchObject({ action: 'agreed', recordedAt: body.agreedAt, sequence: 1, previousHash: null });
  });

  test('agreeing to the agreed version again answers the original time and writes nothing', async () => {
    const user = await client();
    const first = await user.post(marketing);
    const second = await user.post(marketing);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect((await user.get(historyOfMarketing)).body.items).toHaveLength(1);
  });

  test('a consent after a revocation creates a new record; the earlier one is not restored', async () => {
    const user = await client();
    const first = await user.post(marketing);
    await user.delete('/users/agreements/marketing/consent');
    const again = await user.post(marketing);
    expect(again.status).toBe(200);
    expect(again.body.agreedAt > first.body.agreedAt).toBe(true);
    const actions = (await user.get(historyOfMarketing)).body.items.map((record: { action: string }) => record.action);
    expect(actions).toEqual(['agreed', 'revoked', 'agreed']);
  });

  test('a required agreement is agreed to in the same way', async () => {
    const user = await client();
    expect((await user.post('/agreements/versions/terms-of-service-1.0/agree')).status).toBe(200);
  });

  test.each([
    ['a stated locale', { locale: 'de', appVersion: '1.2.3' }, {}, { locale: 'de', localeSource: 'stated' }],
    ['a stated locale in another case', { locale: 'DE' }, {}, { locale: 'de', localeSource: 'stated' }],
    ['a locale that the version lacks', { locale: 'fr' }, {}, { locale: 'en', localeSource: 'negotiated' }],
    ['a regional locale', { locale: 'de-AT' }, {}, { locale: 'de', localeSource: 'negotiated' }],
    ['Accept-Language', undefined, { 'Accept-Language': 'fr, de;q=0.8' }, { locale: 'de', localeSource: 'negotiated' }],
    ['nothing', undefined, {}, { locale: 'en', localeSource: 'negotiated' }],
  ])('%s decides which text the record cites', async (_name, body, headers, expected) => {
    const user = await client();
    await user.post(marketing, { body, headers });
    const [record] = (await user.get(historyOfMarketing)).body.items;
    const [item] = (await user.get(`/users/agreements?locale=${expected.locale}`)).body.items.slice(2);
    expect(record).toMatchObject({
      ...expected,
      appVersion: body && 'appVersion' in body ? body.appVersion : null,
      contentHash: item.contentHash,
    });
  });

  test.each([
    ['no body', undefined, undefined],
    ['an empty body', '', 'application/json'],
    ['a blank body', '  \n ', 'text/plain'],
    ['null', 'null', 'text/plain'],
    ['undeclared fields, which are dropped', '{"note":"x","userId":"someone-else"}', 'application/json'],
    ['a charset', '{"locale":"de"}', 'application/json; charset=UTF-8'],
  ])('%s is accepted', async (_name, body, type) => {
    const user = await client();
    const answer = await user.post(marketing, { body, headers: type ? { 'Content-Type': type } : {} });
    expect(answer.status).toBe(200);
  });
});

describe('400', () => {
  test.each([
    ['broken JSON', '{"locale":', 'application/json', 'MALFORMED_JSON'],
    ['a body of brackets', '['.repeat(100_000), 'application/json', 'MALFORMED_JSON'],
    ['a form', 'locale=de', 'application/x-www-form-urlencoded', 'UNSUPPORTED_CONTENT_TYPE'],
    ['JSON under another name', '{}', 'text/plain', 'UNSUPPORTED_CONTENT_TYPE'],
    ['JSON in another charset', '{}', 'application/json; charset=utf-16', 'UNSUPPORTED_CONTENT_TYPE'],
    ['an array', '[]', 'application/json', 'VALIDATION_FAILED'],
    ['a number', '7', 'application/json', 'VALIDATION_FAILED'],
  ])('%s', async (_name, body, type, code) => {
    const user = await client();
    const answer = await user.post(marketing, { body, headers: { 'Content-Type': type } });
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect((await user.get(historyOfMarketing)).body.items).toEqual([]);
  });

  test('each declared field that does not fit is named', async () => {
    const user = await client();
    const { status, body } = await user.post(marketing, { body: { locale: 'not a locale', appVersion: 7 } });
    expect(status).toBe(400);
    expect(body.code).toBe('VALIDATION_FAILED');
    expect(body.detail.issues).toEqual([
      { in: 'body', path: 'locale', code: 'invalid_format', message: expect.any(String) },
      { in: 'body', path: 'appVersion', code: 'invalid_type', message: expect.any(String) },
    ]);
  });

  test('a broken percent-escape in the path', async () => {
    const user = await client();
    expect(await user.post('/agreements/versions/%zz/agree')).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        detail: { issues: [{ in: 'path', path: 'versionId', code: 'invalid_format' }] },
      },
    });
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('POST', marketing)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});

describe('403', () => {
  test('a medinfo caller in no group', async () => {
    const token = await signIn({ roles: '', application: 'medinfo' });
    const answer = await call('POST', '/agreements/versions/medinfo-newsletter-1.0/agree', {
      token,
      application: 'medinfo',
    });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', detail: null } });
  });
});

describe('404', () => {
  test.each([
    ['an unknown version', 'no-such-version'],
    ["another application's version", 'medinfo-newsletter-1.0'],
    ['an agreement in the place of a version', 'marketing'],
    ['a reserved id', 'me'],
    ['no id at all', '%20'],
    ['a composite key', 'marketing%23marketing-1.0'],
    ['a path in disguise', '..%2F..%2Fusers'],
    ['65 characters', 'a'.repeat(65)],
  ])('%s', async (_name, versionId) => {
    const user = await client();
    const answer = await user.post(`/agreements/versions/${versionId}/agree`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'AGREEMENT_VERSION_NOT_FOUND', detail: null } });
  });
});

describe('409', () => {
  test('a version that is not the active one, which the answer names', async () => {
    const user = await client();
    expect(await user.post('/agreements/versions/privacy-policy-0.9/agree')).toMatchObject({
      status: 409,
      body: {
        code: 'AGREEMENT_VERSION_NOT_ACTIVE',
        detail: { agreementId: 'privacy-policy', activeVersionId: 'privacy-policy-1.0' },
      },
    });
    expect((await user.get('/users/agreements/privacy-policy/history')).body.items).toEqual([]);
  });
});

describe('413', () => {
  test('a body of two megabytes', async () => {
    const user = await client();
    const answer = await user.post(marketing, { body: JSON.stringify({ note: 'x'.repeat(2_000_000) }) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE', detail: null } });
  });
});

test('the tests speak to a base address', () => {
  expect(baseUrl()).toMatch(/^https?:.*\/de\/v1$/);
});
