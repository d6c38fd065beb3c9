import { describe, expect, test } from 'vitest';
import { acceptedIn } from '../../functions/groups/rules/accepted.ts';
import {
  type Broadcast,
  begun,
  inTurn,
  isFor,
  isOver,
  isPlanted,
  type Outcome,
  type Part,
  settled,
  statusOf,
} from '../../functions/groups/rules/broadcast.ts';
import { countRowOf, countRows } from '../../functions/groups/rules/group.ts';
import { stillUnderWay } from '../../functions/groups/rules/under-way.ts';

const part: Part = {
  broadcastId: 'b',
  part: '0000000',
  userIds: ['a', 'b', 'c'],
  tried: [],
  isGivenUp: false,
  revision: 1,
  expiresAt: 1,
};
const of = (...outcomes: [string, Outcome][]) => new Map(outcomes);

describe('what becomes of a part', () => {
  const all = of(['a', 'posted'], ['b', 'skipped'], ['c', 'posted']);
  const some = of(['a', 'posted'], ['b', 'failed']);
  const none = { posted: 0, skipped: 0, failed: 0, open: 0 };
  const left = (userIds: string[], isGivenUp = false, tried = ['b']) =>
    ({ ...part, userIds, tried, isGivenUp, revision: 2 }) as const;
  test.each([
    ['all are through', part, all, false, null, { ...none, posted: 2, skipped: 1, open: -1 }],
    ['some come again', part, some, false, left(['b', 'c']), { ...none, posted: 1 }],
    ['nobody is given up while one was never tried', part, some, true, left(['b', 'c']), { ...none, posted: 1 }],
    [
      'some are given up, all of whom were tried',
      { ...part, tried: ['b', 'c'] },
      some,
      true,
      left(['b', 'c'], true, ['c', 'b']),
      { ...none, posted: 1, failed: 2, open: -1 },
    ],
    [
      'of those given up, one is posted to',
      { ...part, isGivenUp: true, tried: ['a', 'b', 'c'] },
      some,
      false,
      left(['b', 'c'], true, ['c', 'b']),
      { ...none, posted: 1, failed: -1 },
    ],
    [
      'all that were given up are through',
      { ...part, isGivenUp: true },
      all,
      false,
      null,
      { ...none, posted: 2, skipped: 1, failed: -3 },
    ],
    ['nobody was tried', part, of(), false, left(['a', 'b', 'c'], false, []), none],
  ] as const)('%s', (_case, before, outcomes, isLast, after, by) => {
    expect(settled(before, outcomes, isLast)).toEqual({ after, by });
  });
});

test('whose turn it is: who was never tried, then who was tried longest ago', () => {
  expect(inTurn({ ...part, tried: ['b', 'a'] })).toEqual(['c', 'b', 'a']);
});

test('who gets it: members since before it, or since that very millisecond', () => {
  const broadcast = { acceptedAt: '2026-01-01T00:00:00.001Z' };
  const sinces = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z', null];
  expect(sinces.map((since) => isFor(broadcast, since))).toEqual([true, true, false, false]);
});

test('it is over after thirty days, to the millisecond', () => {
  const broadcast = { acceptedAt: '2026-01-01T00:00:00.000Z' };
  const at = (ms: number) => isOver(broadcast, new Date(Date.parse('2026-01-31T00:00:00.000Z') + ms));
  expect([at(-1), at(0)]).toEqual([false, true]);
});

test.each([
  ['as it was accepted', {}, false, false],
  ['accepted by a clock that is a minute ahead', { acceptedAt: '2026-01-01T00:01:00.000Z' }, false, false],
  ['accepted later', { acceptedAt: '2026-01-01T00:01:00.001Z' }, true, true],
  ['made later, which only a clock that was set can say', { createdAt: '2026-01-01T00:01:00.001Z' }, true, false],
  ['of no time', { createdAt: '+275760-09-13T00:00:00.000Z' }, true, true],
  ['accepted at no time', { acceptedAt: 'now' }, true, true],
  ['with a title that is no text', { title: 5 }, true, true],
  ['without a text', { body: undefined }, true, true],
])(
  'one that is %s: whether it was planted, where clocks are true and where they are set',
  (_case, change, ...planted) => {
    const at = '2026-01-01T00:00:00.000Z';
    const said = { groupId: 'g', broadcastId: 'b', purpose: 'service', title: 'T', body: 'B', authorId: 'a' };
    const broadcast = { ...said, createdAt: at, acceptedAt: at, ...change } as Broadcast;
    expect([true, false].map((isDated) => isPlanted(broadcast, new Date(at), isDated))).toEqual(planted);
  },
);

test('its states', () => {
  const listed = { ...begun, isListed: true };
  expect([begun, { ...listed, open: 1 }, listed].map(statusOf)).toEqual(['gathering', 'posting', 'done']);
});

test('what the stream tells: rows that were put, and not those that went', () => {
  const Keys = { groupId: { S: 'g' }, broadcastId: { S: 'b' } };
  const records = (['INSERT', 'REMOVE', 'MODIFY'] as const).map((eventName) => ({ eventName, dynamodb: { Keys } }));
  expect(acceptedIn(records)).toEqual([{ groupId: 'g', broadcastId: 'b' }]);
});

test('members are counted in all the rows, about as many in each', () => {
  const rows = Array.from({ length: 1600 }, (_, index) => countRowOf(`user-${index}`));
  const counts = Array.from({ length: countRows }, (_, row) => rows.filter((each) => each === row).length);
  expect(Math.min(...counts)).toBeGreaterThan(60);
  expect(Math.max(...counts)).toBeLessThan(150);
});

test('what is under way: not what is done, nor what an hour was not enough for', () => {
  const acceptedAt = '2026-01-01T00:00:00.000Z';
  const known = ['done', 'posting', 'gathering', 'unknown'].map((broadcastId) => ({ broadcastId, acceptedAt }));
  const listed = { ...begun, isListed: true };
  const progress = new Map([
    ['done', listed],
    ['posting', { ...listed, open: 1 }],
    ['gathering', begun],
  ]);
  const at = (ms: number) =>
    stillUnderWay(known, progress, new Date(Date.parse(acceptedAt) + ms)).map(({ broadcastId }) => broadcastId);
  expect([at(3_599_999), at(3_600_000)]).toEqual([['posting', 'gathering', 'unknown'], []]);
  // Of a time to come is no honest one; clocks differ by a minute at most.
  expect([at(-60_000), at(-60_001)]).toEqual([['posting', 'gathering', 'unknown'], []]);
});
