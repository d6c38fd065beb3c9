import { expect, test } from 'vitest';
import { mostFailures, next, type Tries, windowMs } from '../../functions/auth/rules/lock.ts';

const minute = 60_000;

/** So many tries at these minutes, none of which was taken back. */
function after(minutes: readonly number[]): Tries | null {
  return minutes.reduce<Tries | null>((before, each) => {
    const said = next('pair', before, each * minute);
    if ('lockedUntil' in said) throw new Error('locked');
    return said.tries;
  }, null);
}

const ten = Array.from({ length: mostFailures }, (_, index) => index);

test('ten tries in 15 minutes get through, and the eleventh is locked for 15 minutes from the last', () => {
  const tries = after(ten);
  expect(next('pair', tries, 9 * minute)).toEqual({ lockedUntil: new Date(9 * minute + windowMs).toISOString() });
  expect(next('pair', tries, 9 * minute + windowMs - 1)).toHaveProperty('lockedUntil');
  expect(next('pair', tries, 9 * minute + windowMs)).toMatchObject({ tries: { failures: 1 } });
});

test('nine tries are forgotten 15 minutes after the first', () => {
  const tries = after(ten.slice(0, 9));
  expect(next('pair', tries, 15 * minute - 1)).toMatchObject({ tries: { failures: 10 } });
  expect(next('pair', tries, 15 * minute)).toMatchObject({ tries: { failures: 1 } });
});

test('a time to come, which no honest function writes, locks nobody', () => {
  const planted = { pair: 'pair', failures: 20, since: 0, last: Date.parse('9000-01-01'), revision: 1 };
  expect(next('pair', planted, 0)).toMatchObject({ tries: { failures: 1, since: 0, last: 0 } });
});

test('after a success the count begins again', () => {
  const tries = after(ten);
  if (!tries) throw new Error('no tries');
  expect(next('pair', { ...tries, failures: 0 }, 10 * minute)).toMatchObject({
    tries: { failures: 1, since: 10 * minute },
  });
});
