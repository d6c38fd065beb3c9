import { describe, expect, test } from 'vitest';
import { canonicalChanges, comparableEmail, isErased, newUser } from '../../functions/users/rules/profile.ts';

const sight = { userId: 'a-user', application: 'sleepcare', now: new Date('2026-03-01T12:00:00.000Z') };

describe('a new user', () => {
  test('has the name and the address of the pool', () => {
    expect(newUser(sight, { username: 'a-name', email: 'someone@example.com' })).toEqual({
      userId: 'a-user',
      application: 'sleepcare',
      username: 'a-name',
      email: 'someone@example.com',
      locale: null,
      timezone: null,
      createdAt: '2026-03-01T12:00:00.000Z',
    });
  });

  test('whom the pool does not know has the id as the name, and no address', () => {
    expect(newUser(sight, null)).toMatchObject({ username: 'a-user', email: null });
  });
});

test('what is left of an erased user is erased, and a profile with that word beside it is not', () => {
  const left = { userId: 'a-user', erasedAt: '2026-03-01T12:00:00.000Z' };
  expect([left, { ...newUser(sight, null), ...left }].map(isErased)).toEqual([true, false]);
});

test.each([
  ['Someone@Example.COM', 'someone@example.com'],
  ['ZO\u00cb@example.com', 'zo\u00eb@example.com'],
  ['zoe\u0308@example.com', 'zo\u00eb@example.com'],
])('%s is the same address as %s', (one, other) => {
  expect(comparableEmail(one)).toBe(comparableEmail(other));
});

test.each([
  [{}, {}],
  [{ locale: 'de-at' }, { locale: 'de-AT' }],
  [{ locale: 'ZH-hans-cn' }, { locale: 'zh-Hans-CN' }],
  [{ timezone: 'europe/berlin' }, { timezone: 'Europe/Berlin' }],
  [{ timezone: 'Europe/Berlin' }, { timezone: 'Europe/Berlin' }],
  [{ timezone: 'Asia/Kolkata' }, { timezone: 'Asia/Kolkata' }],
  [{ timezone: 'Asia/Calcutta' }, { timezone: 'Asia/Calcutta' }],
  [{ timezone: 'utc' }, { timezone: 'UTC' }],
  [
    { locale: null, timezone: null },
    { locale: null, timezone: null },
  ],
])('%j is stored as %j', (stated, stored) => {
  expect(canonicalChanges(stated)).toEqual(stored);
});
