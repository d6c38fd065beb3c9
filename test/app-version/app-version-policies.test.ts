import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { eventually } from '../eventually.ts';
import { policy } from './policy.ts';
import { administrator, replacePolicy } from './stored-policy.ts';

/** The policy of `medinfo/android` is these tests' own. */

const path = '/mobile/app-version/policies/medinfo/android';

describe('200', () => {
  test('what was put is read back, with who changed it and when', async () => {
    const admin = await administrator();
    const written = await replacePolicy(admin, path, policy());
    expect(written.status).toBe(200);
    const userId = JSON.parse(Buffer.from(admin.token.split('.')[1] ?? '', 'base64url').toString()).sub;
    expect(written.body).toEqual({
      ...policy(),
      application: 'medinfo',
      platform: 'android',
      revision: expect.any(Number),
      updatedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedBy: userId,
    });
    expect(written.headers.get('etag')).toBe(`"${written.body.revision}"`);
    const read = await admin.get(path);
    expect(read).toMatchObject({ status: 200, body: written.body });
    expect(read.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  test('each change is a revision', async () => {
    const admin = await administrator();
    const first = await replacePolicy(admin, path, policy());
    const second = await replacePolicy(admin, path, policy({ latestVersion: '3.2.0' }));
    expect(second.body.revision).toBe(first.body.revision + 1);
  });

  test('what was read can be put back as it is', async () => {
    const admin = await administrator();
    const { body } = await replacePolicy(admin, path, policy());
    const again = await admin.put(path, {
      body: { ...body, revision: 999, updatedBy: 'somebody else', application: 'sleepcare' },
      headers: { 'If-Match': `"${body.revision}"` },
    });
    expect(again.body).toEqual({ ...body, revision: body.revision + 1, updatedAt: again.body.updatedAt });
  });

  test('the check follows the new policy, also if the one before was used just now', async () => {
    const admin = await administrator();
    const maintenance = { from: '2026-01-01T00:00:00.000Z', until: null };
    const reason = async () => {
      const query = 'platform=android&appVersion=3.0.0';
      return (await call('GET', `/mobile/app-version/check?${query}`, { application: 'medinfo' })).body.reason;
    };
    await replacePolicy(admin, path, policy());
    expect(await reason()).not.toBe('MAINTENANCE');
    await replacePolicy(admin, path, policy({ maintenance }));
    await eventually(async () => expect(await reason()).toBe('MAINTENANCE'));
    await replacePolicy(admin, path, policy());
  });

  test('of two changes at once one is made', async () => {
    const admin = await administrator();
    const { body } = await replacePolicy(admin, path, policy());
    for (let revision = body.revision; revision < body.revision + 5; revision += 1) {
      const put = () => admin.put(path, { body: policy(), headers: { 'If-Match': `"${revision}"` } });
      const answers = await Promise.all([put(), put(), put()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
      expect((await admin.get(path)).body.revision).toBe(revision + 1);
    }
  });
});

test('200: a maintenance is stated in any offset, and kept in UTC', async () => {
  const admin = await administrator();
  const maintenance = { from: '2031-03-01T01:00:00+02:00', until: '2031-02-28T23:30:00.5-00:00' };
  const { status, body } = await replacePolicy(admin, path, policy({ maintenance }));
  const kept = { from: '2031-02-28T23:00:00.000Z', until: '2031-02-28T23:30:00.500Z' };
  expect([status, body.maintenance]).toEqual([200, kept]);
  expect((await admin.get(path)).body.maintenance).toEqual(kept);
});

describe('304', () => {
  test('a policy that the caller has already', async () => {
    const admin = await administrator();
    const etag = (await admin.get(path)).headers.get('etag') ?? '';
    expect(await admin.get(path, { headers: { 'If-None-Match': etag } })).toMatchObject({ status: 304, body: null });
  });
});

describe('400', () => {
  const text = { title: 't', message: 'm' };
  test.each([
    ['a version that is none', { latestVersion: 'v3' }, ['latestVersion']],
    ['the minimum above the recommended version', { minimumVersion: '3.0.1' }, ['minimumVersion']],
    ['the recommended above the latest version', { recommendedVersion: '3.2' }, ['recommendedVersion']],
    ['a store that is not https', { storeUrl: 'http://store.example.com/app' }, ['storeUrl']],
    ['a store address that a browser would run', { storeUrl: 'javascript:alert(1)' }, ['storeUrl', 'storeUrl']],
    ['more than all devices', { rolloutPercentage: 101 }, ['rolloutPercentage']],
    ['a rollout in words', { rolloutPercentage: 'half' }, ['rolloutPercentage']],
    ['maintenance without its beginning', { maintenance: { until: null } }, ['maintenance.from']],
    ['a time without its zone', { maintenance: { from: '2026-03-01T12:00:00', until: null } }, ['maintenance.from']],
    ['a blocked build without a version', { blockedBuilds: [{ buildNumber: '1' }] }, ['blockedBuilds[0].version']],
    [
      'a build number that is a number',
      { blockedBuilds: [{ version: '1', buildNumber: 1 }] },
      ['blockedBuilds[0].buildNumber'],
    ],
    [
      'a language that is none',
      { texts: { ...policy().texts, blocked: { en: text, d_e: text } } },
      ['texts.blocked.d_e'],
    ],
    [
      'a text without a message',
      { texts: { ...policy().texts, blocked: { en: { title: 't' } } } },
      ['texts.blocked.en.message'],
    ],
    [
      'an empty title',
      { texts: { ...policy().texts, blocked: { en: { ...text, title: '' } } } },
      ['texts.blocked.en.title'],
    ],
    [
      'no text in the default language',
      { defaultLocale: 'fr' },
      ['texts.recommended', 'texts.blocked', 'texts.maintenance'],
    ],
    [
      'a title of two lines, and a message with a NUL',
      { texts: { ...policy().texts, blocked: { en: { title: 'a\nb', message: 'a\nb\0' } } } },
      ['texts.blocked.en.title', 'texts.blocked.en.message'],
    ],
    ['a field left out', { mandatoryReleases: undefined }, ['mandatoryReleases']],
    ['a field misspelt', { maintenance: undefined, maintenence: null }, ['maintenance']],
  ])('%s', async (_name, changes, paths) => {
    const admin = await administrator();
    const before = await replacePolicy(admin, path, policy());
    const headers = { 'If-Match': before.headers.get('etag') ?? '' };
    const { status, body } = await admin.put(path, { body: { ...policy(), ...changes }, headers });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual(paths);
    expect((await admin.get(path)).headers.get('etag')).toBe(headers['If-Match']);
  });

  test('no body', async () => {
    const admin = await administrator();
    expect(await admin.put(path)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe.each([
  ['GET', path],
  ['PUT', path],
  ['POST', `${path}/simulate`],
])('%s %s', (method, route) => {
  test('401 without a token', async () => {
    expect((await call(method, route, { application: 'medinfo' })).status).toBe(401);
  });

  test.each(['physician', 'agent', 'developer', ''])('403 for a caller in the group "%s"', async (roles) => {
    const { token } = await client({ roles, application: 'medinfo' });
    const answer = await call(method, route, { token, application: 'medinfo' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  test.each(['other/ios', 'medinfo/windows', 'medinfo/iOS', 'me/ios', 'medinfo/%23'])('404 for %s', async (which) => {
    const admin = await administrator();
    const answer = await call(method, route.replace('medinfo/android', which), {
      token: admin.token,
      application: 'medinfo',
      ...(method !== 'GET' && { body: method === 'PUT' ? policy() : { versions: ['1'] } }),
    });
    expect(answer).toMatchObject({ status: 404, body: { code: 'APP_VERSION_POLICY_NOT_FOUND', detail: null } });
  });

  test('404 in the other application', async () => {
    const { token } = await client();
    expect(await call(method, route, { token })).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
  });
});

describe('412', () => {
  test.each([
    ['an older revision', { 'If-Match': '"0"' }],
    ['a tag of another kind', { 'If-Match': '"abc"' }],
    ['a first policy where there is one', { 'If-None-Match': '*' }],
  ])('%s', async (_name, headers) => {
    const admin = await administrator();
    const before = await replacePolicy(admin, path, policy());
    const answer = await admin.put(path, { body: policy({ latestVersion: '9.0.0' }), headers });
    expect(answer).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED', detail: null } });
    expect((await admin.get(path)).body).toEqual(before.body);
  });
});

describe('428', () => {
  test.each<[string, Record<string, string>]>([
    ['no condition', {}],
    ['any state', { 'If-Match': '*' }],
  ])('%s', async (_name, headers) => {
    const admin = await administrator();
    const answer = await admin.put(path, { body: policy(), headers });
    expect(answer).toMatchObject({ status: 428, body: { code: 'PRECONDITION_REQUIRED', detail: null } });
  });
});
