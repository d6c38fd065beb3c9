import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Application } from '../../lib/contract/register.ts';
import { call } from '../api.ts';
import { eventually } from '../eventually.ts';
import { administrator, replacePolicy } from './stored-policy.ts';

/** The seed's policies: 2.1.0 in the store, 2.0.0 recommended, 1.8.0 mandatory, 1.5.0 the minimum, 2.0.1 (201) blocked. */

const own = [
  ['sleepcare', 'ios'],
  ['sleepcare', 'android'],
  ['medinfo', 'ios'],
] as const;

const path = '/mobile/app-version/check';
/** Asks until the function has read the seed's policy: one that could not in half a second does without for some more. */
const check = (query: string, headers: Record<string, string> = {}, application: Application = 'sleepcare') =>
  eventually(async () => {
    const answer = await call('GET', `${path}?${query}`, { headers, application });
    expect(answer.body?.reason).not.toBe('POLICY_UNAVAILABLE');
    expect([null, seed.latestVersion]).toContain(answer.body?.latestVersion ?? null);
    return answer;
  });
let seed: { latestVersion: string };

beforeAll(async () => {
  seed = JSON.parse(
    await readFile(new URL('../../functions/app-version/seed/sleepcare-ios.json', import.meta.url), 'utf8'),
  );
  const admin = await administrator();
  const stored = await admin.get('/mobile/app-version/policies/sleepcare/ios');
  if (stored.status === 200 && stored.body.latestVersion === seed.latestVersion) return;
  // A deployed stage has no seed.
  for (const each of own) {
    await replacePolicy(admin, `/mobile/app-version/policies/${each.join('/')}`, seed);
  }
});

describe('200', () => {
  test.each(['de', 'de-AT', 'de_DE', 'DE_at'])('the texts are in the language of locale=%s', async (locale) => {
    const [german, wished] = await Promise.all(
      ['de', locale].map((each) => check(`platform=ios&appVersion=1.9.0&locale=${each}`)),
    );
    expect(wished?.body.title).toBe(german?.body.title);
    expect(wished?.body.title).not.toBe((await check('platform=ios&appVersion=1.9.0&locale=en')).body.title);
  });

  test('the answer has all its fields', async () => {
    const { status, headers, body } = await check('platform=ios&appVersion=1.9.0&locale=de');
    expect(status).toBe(200);
    expect(body).toEqual({
      updateRequired: true,
      forceBlocked: false,
      outcome: 'recommended',
      reason: 'BELOW_RECOMMENDED',
      latestVersion: '2.1.0',
      recommendedVersion: '2.0.0',
      minimumVersion: '1.5.0',
      storeUrl: expect.stringMatching(/^https:/),
      title: 'Update verfügbar',
      message: expect.stringContaining('Store'),
      checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, max-age=0');
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]+"$/);
  });

  test.each([
    ['normal entry', '2.0.0', false, false, 'normal', 'UP_TO_DATE'],
    ['update recommended', '1.9.0', true, false, 'recommended', 'BELOW_RECOMMENDED'],
    ['forced block: below the minimum', '1.4.9', true, true, 'blocked', 'BELOW_MINIMUM'],
    ['forced block: a mandatory release skipped', '1.7.0', true, true, 'blocked', 'MANDATORY_SKIPPED'],
  ])('%s', async (_name, appVersion, updateRequired, forceBlocked, outcome, reason) => {
    for (const [application, platform] of own) {
      const { status, body } = await check(`platform=${platform}&appVersion=${appVersion}`, {}, application);
      expect(status).toBe(200);
      expect(body).toMatchObject({ updateRequired, forceBlocked, outcome, reason });
      expect(body.title === null).toBe(outcome === 'normal');
    }
  });

  test('forced block: a blocked build', async () => {
    const { body } = await check('platform=ios&appVersion=2.0.1&buildNumber=201');
    expect(body).toMatchObject({ updateRequired: true, forceBlocked: true, reason: 'BUILD_BLOCKED' });
    expect((await check('platform=ios&appVersion=2.0.1&buildNumber=202')).body.reason).toBe('UP_TO_DATE');
  });

  test.each([
    ['Accept-Language', '', { 'Accept-Language': 'fr, de-CH;q=0.9, en;q=0.1' }, 'Update verfügbar'],
    ['the query over the header', '&locale=en', { 'Accept-Language': 'de' }, 'Update available'],
    ['a language that there is not', '&locale=fr', {}, 'Update available'],
    ['a locale that is none', '&locale=%F0%9F%98%80', { 'Accept-Language': 'de' }, 'Update verfügbar'],
    ['a header that is none', '', { 'Accept-Language': ';;;q=x' }, 'Update available'],
  ])('the text follows %s', async (_name, query, headers, title) => {
    expect((await check(`platform=ios&appVersion=1.9.0${query}`, headers)).body.title).toBe(title);
  });
});

describe('never 400', () => {
  test.each([
    ['the names of the specification', 'platform=ios&appVersion=1.0'],
    ['platform in capitals', 'platform=IOS&appVersion=1.0'],
    ['platform in its own spelling', 'platform=iOS&appVersion=1.0'],
    ['os and version', 'os=ios&version=1.0'],
    ['os and app_version', 'os=Android&app_version=1.0'],
    ['an alias where the first is not readable', 'platform=watch&os=ios&appVersion=latest&version=1.0'],
    ['a build behind a plus that was not encoded', 'platform=ios&appVersion=1.0.0+45'],
    ['blanks around it', 'platform=%20ios%20&appVersion=%201.0%20'],
    [
      'other parameters unreadable',
      `platform=ios&appVersion=1.0&buildNumber=&deviceId=&osVersion=%00&locale=${'x'.repeat(99)}`,
    ],
    ['other parameters repeated', 'platform=ios&appVersion=1.0&buildNumber=1&buildNumber=2&deviceId=a&deviceId=b'],
    ['parameters that nobody declared', 'platform=ios&appVersion=1.0&model=x&model=y'],
  ])('read: %s', async (_name, query) => {
    const { status, body } = await check(query);
    expect([status, body.reason]).toEqual([200, 'BELOW_MINIMUM']);
  });

  test.each([
    ['nothing', ''],
    ['no version', 'platform=ios'],
    ['no platform', 'appVersion=1.0'],
    ['empty values', 'platform=&appVersion='],
    ['an unknown platform', 'platform=windows&appVersion=1.0'],
    ['a version that is none', 'platform=ios&appVersion=latest'],
    ['a version with a letter before it', 'platform=ios&appVersion=v1.0'],
    ['five numbers', 'platform=ios&appVersion=1.0.0.0.1'],
    ['a comparison', 'platform=ios&appVersion=%3C1.0'],
    ['a repeated version', 'platform=ios&appVersion=1.0&appVersion=1.1'],
    ['a repeated platform', 'platform=ios&platform=ios&appVersion=1.0'],
    ['an array of it', 'platform=ios&appVersion[]=1.0'],
    ['control characters', 'platform=ios&appVersion=1.0%00'],
    ['two thousand characters', `platform=ios&appVersion=${'1.'.repeat(1000)}`],
    ['names in another case', 'PLATFORM=ios&APPVERSION=1.0'],
  ])('not stated: %s', async (_name, query) => {
    const { status, body } = await check(query);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      updateRequired: false,
      forceBlocked: false,
      outcome: 'normal',
      reason: 'VERSION_NOT_STATED',
      title: null,
      message: null,
    });
  });

  test('a body and a stray token are ignored', async () => {
    const answer = await call('GET', `${path}?platform=ios&appVersion=1.0`, {
      token: 'not-a-token',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect([answer.status, answer.body.reason]).toEqual([200, 'BELOW_MINIMUM']);
  });
});

describe('304', () => {
  const query = 'platform=ios&appVersion=1.9.0';

  test('the same answer again has the same ETag, at another time', async () => {
    const [first, second] = [await check(query), await check(query)];
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    const again = await check(query, { 'If-None-Match': first.headers.get('etag') ?? '' });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, first.headers.get('etag')]);
    expect(again.headers.get('cache-control')).toBe('private, max-age=0');
  });

  test('another answer has another ETag', async () => {
    const etag = (await check(query)).headers.get('etag') ?? '';
    expect((await check('platform=ios&appVersion=2.0.0', { 'If-None-Match': etag })).status).toBe(200);
    expect((await check(query, { 'If-None-Match': etag, 'Accept-Language': 'de' })).status).toBe(200);
  });
});
