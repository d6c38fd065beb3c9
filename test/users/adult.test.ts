import { expect, test } from 'vitest';
import { isAdult } from '../../functions/users/rules/adult.ts';
import type { User } from '../../functions/users/rules/profile.ts';

const user = (birthYear?: number) => ({ userId: 'u', ...(birthYear !== undefined && { birthYear }) }) as User;
const now = new Date('2027-06-30T10:00:00.000Z');

test.each<[string, Parameters<typeof isAdult>[0], boolean]>([
  ['nobody', null, false],
  ['an erased user', { userId: 'u', erasedAt: now.toISOString() }, false],
  ['a user who has not stated the year of birth', user(), false],
  ['a user who is 19 this year', user(2008), true],
  ['a user who is 18 this year, maybe only later', user(2009), false],
  ['a child', user(2015), false],
])('whether %s is an adult', (_case, who, is) => expect(isAdult(who, now)).toBe(is));
