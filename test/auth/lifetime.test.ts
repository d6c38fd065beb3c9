import { expect, test } from 'vitest';
import { expiryOf, isOver, renewedOn } from '../../functions/auth/rules/lifetime.ts';
import { applications, deployments } from '../../functions/product.ts';

const lifetime = { longestMinutes: 720, idleMinutes: 60 };
const start = Date.parse('2026-11-23T07:00:00.000Z');
const minute = 60_000;
const at = (minutes: number, ms = 0) => new Date(start + minutes * minute + ms);

test.each([
  ['at the sign-in', 0, 0, 0, false],
  ['a moment before it is idle too long', 0, 60, -1, false],
  ['idle too long', 0, 60, 0, true],
  ['renewed in time', 59, 118, 0, false],
  ['renewed in time, and idle too long since', 59, 119, 0, true],
  ['a moment before its longest time', 719, 720, -1, false],
  ['at its longest time, however often it was renewed', 719, 720, 0, true],
  ['by a clock that is behind', 1, 0, 0, false],
  ['renewed in time, as the row says, but at a time to come', 300, 60, 0, true],
])('%s', (_name, renewed, minutes, ms, expected) => {
  const times = { createdAt: at(0).toISOString(), renewedAt: at(renewed).toISOString() };
  expect(isOver(times, lifetime, at(minutes, ms))).toBe(expected);
});

test.each([
  ['2026-11-23T07:00:00.000Z', '2026-11-23T07:00:00.000Z', '2026-11-23T07:00:00.000Z'],
  ['2026-11-23T07:00:00.000Z', '2026-11-23T23:59:59.999Z', '2026-11-23T07:00:00.000Z'],
  ['2026-11-23T07:00:00.000Z', '2026-11-24T09:02:11.120Z', '2026-11-24T00:00:00.000Z'],
])('signed in at %s and renewed at %s: the list has %s', (createdAt, renewedAt, expected) => {
  expect(renewedOn({ createdAt, renewedAt })).toBe(expected);
});

test('its row goes two weeks after its longest time', () => {
  expect(expiryOf(at(0).toISOString(), lifetime)).toBe(at(720).getTime() / 1000 + 14 * 86_400);
});

test('staff: 12 hours, or 60 minutes without a renewal; patients: 30 days, or 14 days', () => {
  expect(applications.map((application) => [application, deployments[application].sessions])).toEqual([
    ['sleepcare', { longestMinutes: 43_200, idleMinutes: 20_160 }],
    ['medinfo', { longestMinutes: 720, idleMinutes: 60 }],
  ]);
});
