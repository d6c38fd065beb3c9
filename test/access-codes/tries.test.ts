import { describe, expect, test } from 'vitest';
import { lockOf, mostWrong, next, type Tries } from '../../functions/access-codes/rules/tries.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (minutes: number) => new Date(start + minutes * 60_000);

/** So many wrong codes, a minute apart. */
function wrongly(wrong: number): Tries | null {
  let tries: Tries | null = null;
  for (let minute = 0; minute < wrong; minute += 1) tries = next('u', tries, 'wrong', at(minute));
  return tries;
}

describe('the lock', () => {
  test.each([
    [0, 0, null],
    [9, 9, null],
    [10, 9, '2026-03-01T13:00:00.000Z'],
    // The first of the ten is an hour old.
    [10, 59, '2026-03-01T13:00:00.000Z'],
    [10, 60, null],
  ])('after %d wrong codes, at minute %d: until %s', (wrong, minute, until) => {
    expect(lockOf(wrongly(wrong), at(minute))).toBe(until);
  });

  test('at the end of the hour one try is possible again, and one more with each minute', () => {
    const tries = next('u', wrongly(10), 'wrong', at(60));
    expect(lockOf(tries, at(60))).toBe(at(61).toISOString());
    expect(lockOf(tries, at(61))).toBeNull();
  });
});

test('a redemption keeps the counted tries, and changes the revision', () => {
  const before = wrongly(3);
  const { wrongAt, revision } = next('u', before, 'redeemed', at(5));
  expect([wrongAt, revision]).toEqual([before?.wrongAt, 4]);
  expect(next('u', null, 'redeemed', at(0))).toMatchObject({ wrongAt: [], revision: 1 });
});

test('at most ten times are kept, none older than an hour, and the row expires an hour after the last one', () => {
  const tries = next('u', wrongly(30), 'wrong', at(30));
  expect(tries.wrongAt).toHaveLength(mostWrong);
  expect(next('u', tries, 'wrong', at(88)).wrongAt).toEqual([at(29), at(30), at(88)].map((time) => time.toISOString()));
  expect(tries.expiresAt).toBe(at(90).getTime() / 1000);
});
