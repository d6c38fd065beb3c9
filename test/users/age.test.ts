import { expect, test } from 'vitest';
import { isOldEnough } from '../../functions/users/rules/age.ts';

const ofBirth = (birthYear: number, now: string) => isOldEnough(birthYear, 18, new Date(now));

test.each([
  ['19 in this year, and 18 for sure', 2007, '2026-01-01T12:00:00Z', true],
  ['19 in this year, where it is still the last one somewhere', 2007, '2026-01-01T11:59:59Z', false],
  ['18 in this year, and perhaps still 17', 2008, '2026-06-01T00:00:00Z', false],
  ['18 in this year, on its last day', 2008, '2026-12-31T23:59:59Z', false],
  ['18 in the year before', 2008, '2027-01-02T00:00:00Z', true],
  ['born in a year to come', 2030, '2026-06-01T00:00:00Z', false],
])('%s', (_, birthYear, now, isOld) => {
  expect(ofBirth(birthYear, now)).toBe(isOld);
});
