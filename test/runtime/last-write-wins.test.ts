import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { etagOf, type Incoming, type Stamp, verdictOn } from '../../lib/runtime/last-write-wins.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const now = new Date(at(1000));
const write = (statedAt: string | null, fingerprint: string, more: Partial<Incoming> = {}): Incoming => {
  return { statedAt, fingerprint, isDeleted: false, ifMatch: undefined, ...more };
};
const deletion = (statedAt: string | null, more: Partial<Incoming> = {}) =>
  write(statedAt, '', { isDeleted: true, ...more });

/** @returns what is there after these, and what each was answered */
function arrived(writes: readonly Incoming[], when = now) {
  let stamp: Stamp | null = null;
  const outcomes = writes.map((incoming) => {
    const verdict = verdictOn(stamp, incoming, when);
    if (verdict.outcome === 'written') stamp = verdict.stamp;
    return verdict.outcome;
  });
  return { stamp: stamp as Stamp | null, outcomes };
}

describe('without If-Match', () => {
  test('the state that was recorded later stays, in any order of arrival, and names what it replaced', () => {
    const [one, two] = [write(at(1), 'one'), write(at(2), 'two')];
    expect(arrived([one, two])).toMatchObject({
      outcomes: ['written', 'written'],
      stamp: { fingerprint: 'two', revision: 2, replacedAt: at(1) },
    });
    expect(arrived([two, one])).toMatchObject({
      outcomes: ['written', 'older'],
      stamp: { fingerprint: 'two', revision: 1, replacedAt: null },
    });
  });

  test('the same state again writes nothing, also after another state', () => {
    const [one, two] = [write(at(1), 'one'), write(at(2), 'two')];
    expect(arrived([one, one, two, two, one]).outcomes).toEqual(['written', 'same', 'written', 'same', 'older']);
    expect(arrived([write(null, 'one'), write(null, 'one')]).outcomes).toEqual(['written', 'same']);
  });

  test('an older write does not bring back a deleted state; a later write does', () => {
    const gone = arrived([write(at(1), 'one'), deletion(at(3)), write(at(2), 'two')]);
    expect(gone).toMatchObject({ outcomes: ['written', 'written', 'older'], stamp: { isDeleted: true } });
    expect(arrived([deletion(at(3)), write(at(4), 'two')]).stamp).toMatchObject({
      isDeleted: false,
      replacedAt: at(3),
    });
  });

  test('a phone whose clock is ahead does not win for ever', () => {
    const { stamp } = arrived([write('2099-01-01T00:00:00.000Z', 'ahead')]);
    expect(stamp?.recordedAt).toBe(now.toISOString());
    const later = verdictOn(stamp, write(at(1001), 'next'), new Date(at(1002)));
    expect(later).toMatchObject({ outcome: 'written', stamp: { fingerprint: 'next' } });
    // The same write again, later: it is known by what the phone stated.
    expect(verdictOn(stamp, write('2099-01-01T00:00:00.000Z', 'ahead'), new Date(at(1002))).outcome).toBe('same');
  });

  test('every order of arrival, with repetitions, gives the same end', () => {
    const one = fc.record({ second: fc.nat(4), fingerprint: fc.constantFrom('a', 'b', 'c'), isDeleted: fc.boolean() });
    const orders = fc
      .array(one, { minLength: 1, maxLength: 6 })
      .chain((writes) =>
        fc.tuple(
          fc.shuffledSubarray(writes, { minLength: writes.length }),
          fc.shuffledSubarray([...writes, ...writes], { minLength: writes.length * 2 }),
        ),
      );
    const end = (writes: readonly { second: number; fingerprint: string; isDeleted: boolean }[]) => {
      const { stamp } = arrived(
        writes.map(({ second, fingerprint, isDeleted }) =>
          isDeleted ? deletion(at(second)) : write(at(second), fingerprint),
        ),
      );
      return [stamp?.recordedAt, stamp?.isDeleted, stamp?.fingerprint];
    };
    fc.assert(
      fc.property(orders, ([some, others]) => {
        expect(end(others)).toEqual(end(some));
      }),
      { numRuns: 500 },
    );
  });
});

describe('with If-Match', () => {
  const { stamp } = arrived([write(at(5), 'one')]);
  const ifMatch = '"1"';

  test('the named state is replaced, whatever the phone’s clock says', () => {
    const verdict = verdictOn(stamp, write(at(2), 'two', { ifMatch }), now);
    expect(verdict).toMatchObject({
      outcome: 'written',
      stamp: { fingerprint: 'two', recordedAt: at(5), revision: 2 },
    });
  });

  test.each(['"2"', 'W/"1"', '1', ''])('%s is refused', (other) => {
    expect(verdictOn(stamp, write(at(9), 'two', { ifMatch: other }), now).outcome).toBe('refused');
  });

  test('nothing is there, or no more: refused', () => {
    expect(verdictOn(null, write(at(9), 'two', { ifMatch: '*' }), now).outcome).toBe('refused');
    const { stamp: gone } = arrived([deletion(at(1))]);
    expect(verdictOn(gone, write(at(9), 'two', { ifMatch: '*' }), now).outcome).toBe('refused');
  });

  test('a repetition whose first answer was lost is the same', () => {
    const second = write(at(6), 'two', { ifMatch });
    const verdict = verdictOn(stamp, second, now);
    if (verdict.outcome !== 'written') throw new Error('not written');
    expect(etagOf(verdict.stamp)).toBe('"2"');
    expect(verdictOn(verdict.stamp, second, now).outcome).toBe('same');
  });
});

/** Whoever may write rows of the table may have written these. */
describe.each([
  ['only keys', {}],
  ['a time to come', { recordedAt: '9999-01-01T00:00:00.000Z', revision: 1, isDeleted: false, fingerprint: 'planted' }],
  ['no time', { recordedAt: 'soon', revision: 2, isDeleted: true, fingerprint: '' }],
  ['a revision that is none', { recordedAt: at(1), revision: 'one', isDeleted: false, fingerprint: 'planted' }],
  ['a fraction', { recordedAt: at(1), revision: 1.4, isDeleted: false, fingerprint: 'planted' }],
])('on a planted row with %s', (_what, planted) => {
  test.each([write(at(2), 'mine'), write(null, 'mine')])('a write is written: %o', (mine) => {
    const verdict = verdictOn(planted as Stamp, mine, now);
    expect(verdict).toMatchObject({ outcome: 'written', stamp: { fingerprint: 'mine' } });
    expect(verdict).toHaveProperty('stamp.revision', expect.any(Number));
    // The tag that was shown of it can be sent back.
    const shown = planted as Stamp;
    if (shown.isDeleted === false) {
      const named = verdictOn(shown, { ...mine, ifMatch: etagOf(shown) }, now);
      expect(named.outcome).toBe('written');
    }
  });
});
