import { describe, expect, test } from 'vitest';
import { call, client, isDeployed } from '../api.ts';

describe('200', () => {
  test('named fields change, and a later read has them', async () => {
    const user = await client();
    const before = (await user.get('/users/me')).body;
    const { status, body } = await user.patch('/users/me', { body: { locale: 'de-AT' } });
    expect([status, body]).toEqual([200, { ...before, locale: 'de-AT' }]);
    expect((await user.patch('/users/me', { body: { timezone: 'Europe/Vienna' } })).body).toEqual({
      ...before,
      locale: 'de-AT',
      timezone: 'Europe/Vienna',
    });
    expect((await user.get('/users/me')).body).toMatchObject({ locale: 'de-AT', timezone: 'Europe/Vienna' });
  });

  test('is a first sight, too', async () => {
    const user = await client();
    const userId = user.user;
    const { body } = await user.patch('/users/me', { body: { locale: 'en' } });
    expect(body).toMatchObject({ userId, username: userId, locale: 'en', timezone: null, roles: ['patient'] });
    expect((await user.get('/users/me')).body).toEqual(body);
  });

  test('first requests of both kinds at once make one user, with the change', async () => {
    const user = await client();
    const change = { body: { timezone: 'Asia/Tokyo' } };
    const both = Array.from({ length: 6 }, () => [user.get('/users/me'), user.patch('/users/me', change)]).flat();
    const answers = await Promise.all(both);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.createdAt}`)).size).toBe(1);
    expect((await user.get('/users/me')).body.timezone).toBe('Asia/Tokyo');
  });

  test.each([
    [{ locale: 'DE-at' }, { locale: 'de-AT' }],
    [{ timezone: 'europe/berlin' }, { timezone: 'Europe/Berlin' }],
    [{ timezone: 'UTC' }, { timezone: 'UTC' }],
    [
      { locale: null, timezone: null },
      { locale: null, timezone: null },
    ],
    [{}, { locale: null, timezone: null }],
    [
      { userId: 'someone-else', roles: ['admin'], email: 'x@example.com' },
      // Users of a deployed stage have one, and keep it.
      { email: isDeployed() ? expect.not.stringContaining('x@example.com') : null, roles: ['patient'] },
    ],
  ])('%j gives %j', async (body, expected) => {
    const user = await client();
    expect(await user.patch('/users/me', { body })).toMatchObject({ status: 200, body: expected });
  });
});

test.each([null, ''])('%j takes back what was stated, and leaves the rest', async (nothing) => {
  const user = await client();
  await user.patch('/users/me', { body: { locale: 'de', timezone: 'Europe/Berlin' } });
  const cleared = await user.patch('/users/me', { body: { timezone: nothing } });
  expect(cleared).toMatchObject({ status: 200, body: { locale: 'de', timezone: null } });
  await user.patch('/users/me', { body: { locale: nothing } });
  expect((await user.get('/users/me')).body).toMatchObject({ locale: null, timezone: null });
});

test('the year of birth is stated once', async () => {
  const user = await client();
  expect((await user.get('/users/me')).body.birthYear).toBeNull();
  const later = await user.patch('/users/me', { body: { birthYear: new Date().getUTCFullYear() + 1 } });
  expect([later.status, later.body.detail?.issues]).toMatchObject([400, [{ path: 'birthYear', code: 'too_big' }]]);
  expect((await user.get('/users/me')).body.birthYear).toBeNull();
  const stated = await user.patch('/users/me', { body: { birthYear: 1980 } });
  expect([stated.status, stated.body.birthYear]).toEqual([200, 1980]);
  expect((await user.patch('/users/me', { body: { birthYear: 1980, locale: 'de' } })).status).toBe(200);
  const other = await user.patch('/users/me', { body: { birthYear: 2012, locale: 'en' } });
  expect([other.status, other.body.code]).toEqual([409, 'BIRTH_YEAR_STATED']);
  expect((await user.get('/users/me')).body).toMatchObject({ birthYear: 1980, locale: 'de' });
  const fresh = await client();
  const years = [1970, 1971, 1972, 1973];
  const answers = await Promise.all(years.map((birthYear) => fresh.patch('/users/me', { body: { birthYear } })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  const first = answers.find(({ status }) => status === 200);
  expect((await fresh.get('/users/me')).body.birthYear).toBe(first?.body.birthYear);
});

describe('400', () => {
  test.each([
    ['a locale that is none', { locale: 'not a locale' }, 'locale'],
    ['a locale that is valid only by its form', { locale: 'en-a' }, 'locale'],
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset, which knows no summer time', { timezone: '+01:00' }, 'timezone'],
    ['a blank time zone', { timezone: ' ' }, 'timezone'],
    ['a blank locale', { locale: ' ' }, 'locale'],
    ['a locale of 65 characters', { locale: 'a'.repeat(65) }, 'locale'],
    ['a number', { timezone: 1 }, 'timezone'],
  ])('%s', async (_name, body, path) => {
    const user = await client();
    expect(await user.patch('/users/me', { body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'body', path }] } },
    });
    expect((await user.get('/users/me')).body).toMatchObject({ locale: null, timezone: null });
  });

  test('no body', async () => {
    const user = await client();
    expect(await user.patch('/users/me')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('PATCH', '/users/me')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});

describe('403', () => {
  test('a medinfo caller in no group', async () => {
    const nobody = await client({ roles: '', application: 'medinfo' });
    expect(await nobody.patch('/users/me', { body: { locale: 'de' } })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });
});
