import { describe, expect, test } from 'vitest';
import { clockAt, isWithinReach, offsetsWithinReach, reach } from '../../functions/time-machine/rules/clock.ts';

const real = Date.parse('2026-03-01T12:00:00.000Z');

test.each([
  ['not set', null, { now: '2026-03-01T12:00:00.000Z', offsetMs: 0, isSet: false }],
  ['set to real time', 0, { now: '2026-03-01T12:00:00.000Z', offsetMs: 0, isSet: true }],
  ['ahead', 28_800_000, { now: '2026-03-01T20:00:00.000Z', offsetMs: 28_800_000, isSet: true }],
  ['behind', -86_400_000, { now: '2026-02-28T12:00:00.000Z', offsetMs: -86_400_000, isSet: true }],
])('%s', (_name, offset, expected) => {
  expect(clockAt(offset, real)).toEqual(expected);
});

describe('the reach', () => {
  test.each([
    ['its first millisecond', Date.parse(reach.from), true],
    ['before it', Date.parse(reach.from) - 1, false],
    ['its last millisecond', Date.parse(reach.to), true],
    ['after it', Date.parse(reach.to) + 1, false],
    ['no time at all', Number.NaN, false],
  ])('%s', (_name, at, expected) => {
    expect(isWithinReach(at - real, real)).toBe(expected);
  });

  test('has years of four digits, which text can be compared by', () => {
    const { least, greatest } = offsetsWithinReach(real);
    for (const offset of [least, greatest]) expect(clockAt(offset, real).now).toHaveLength(24);
  });
});
