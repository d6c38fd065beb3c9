import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { consentIntervals, isWithin } from '../../functions/research-exports/rules/consent-intervals.ts';

const at = (tick: number) => new Date(Date.UTC(2026, 0, 1) + tick * 1000).toISOString();
const agreed = (tick: number) => ({ action: 'agreed', recordedAt: at(tick) }) as const;
const revoked = (tick: number) => ({ action: 'revoked', recordedAt: at(tick) }) as const;

describe('when somebody consented', () => {
  test.each([
    ['never', [], [], []],
    ['until now', [agreed(1)], [], [[1, null]]],
    ['until the revocation', [agreed(1), revoked(5)], [], [[1, 5]]],
    [
      'again after it',
      [agreed(1), revoked(5), agreed(9)],
      [],
      [
        [1, 5],
        [9, null],
      ],
    ],
    ['to a new version meanwhile: one interval', [agreed(1), agreed(4), revoked(6)], [], [[1, 6]]],
    ['until the account was closed', [agreed(1)], [7], [[1, 7]]],
    [
      'again after it was opened',
      [agreed(1), agreed(9)],
      [7],
      [
        [1, 7],
        [9, null],
      ],
    ],
    ['revoked before the end of the account', [agreed(1), revoked(3)], [7], [[1, 3]]],
    ['agreed in the moment of the end: nothing', [agreed(7)], [7], []],
  ])('%s', (_name, records, ends, expected) => {
    const found = consentIntervals(records, ends.map(at));
    expect(found).toEqual(
      expected.map(([from, until]) => ({ from: at(from ?? 0), until: until === null ? null : at(until ?? 0) })),
    );
  });

  test('the first instant is in it, the last is not', () => {
    const intervals = consentIntervals([agreed(1), revoked(5)], []);
    expect([0, 1, 4, 5, 6].map((tick) => isWithin(intervals, at(tick)))).toEqual([false, true, true, false, false]);
  });

  test('as a person who lives through it second by second would say', () => {
    const event = fc.record({ tick: fc.nat(40), what: fc.constantFrom('agreed', 'revoked', 'end') });
    fc.assert(
      fc.property(fc.uniqueArray(event, { selector: ({ tick }) => tick, maxLength: 15 }), (events) => {
        const ordered = events.toSorted((one, other) => one.tick - other.tick);
        const ends = ordered.filter(({ what }) => what === 'end').map(({ tick }) => at(tick));
        const records = ordered.flatMap(({ tick, what }) =>
          what === 'end' ? [] : [{ action: what, recordedAt: at(tick) }],
        );
        const intervals = consentIntervals(records as Parameters<typeof consentIntervals>[0], ends);
        let isOn = false;
        for (let tick = 0; tick <= 41; tick += 1) {
          const happened = ordered.find((each) => each.tick === tick);
          if (happened) isOn = happened.what === 'agreed';
          expect([tick, isWithin(intervals, at(tick))]).toEqual([tick, isOn]);
        }
        const points = intervals.flatMap(({ from, until }) => (until === null ? [from] : [from, until]));
        expect(points).toEqual([...new Set(points)].toSorted());
      }),
    );
  });
});
