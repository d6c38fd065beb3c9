import { expect, test } from 'vitest';
import { nothing } from '../../functions/erasure/rules/erasure.ts';
import { withEndsOf } from '../../functions/erasure/rules/kept-ends.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const [first, second, third] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T12:00:59.000Z'];
const state = { ...nothing('user'), ends: [second] };

test.each([
  ['of both, in order and once', [third, second, first], [first, second, third]],
  ['of the state, if the row has none', undefined, [second]],
  ['of the state, if the row was planted', 'x', [second]],
  ['that are times', [first, 7, null, '0', '2026'], [first, second]],
  ['that are not in the future', ['2026-03-01T12:01:01.000Z', '9999-01-01T00:00:00.000Z'], [second]],
])('the ends are those %s', (_, stored, ends) => {
  expect(withEndsOf(state, stored, now)).toEqual({ ...state, ends });
});

test('an end in the future stays if the state has it: the time machine may have gone back', () => {
  const ahead = { ...state, ends: ['2026-04-01T00:00:00.000Z'] };
  expect(withEndsOf(ahead, ahead.ends, now)).toEqual(ahead);
});
