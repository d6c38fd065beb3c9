import { describe, expect, test } from 'vitest';
import { type Chain, graceMs, type Predecessor, replacing, standingOf } from '../../functions/auth/rules/renewal.ts';

const start = Date.parse('2026-11-23T07:00:00.000Z');
const at = (ms: number) => new Date(start + ms);
const replaced = (hash: string, ms: number): Predecessor => ({
  hash,
  sealedSuccessor: `after ${hash}`,
  replacedAt: at(ms).toISOString(),
});

/** t0 was replaced at 0 s, and t1 at 10 s; t2 is the present one. */
const chain: Chain = { tokenHash: 't2', predecessors: [replaced('t0', 0), replaced('t1', 10_000)] };

describe('what a token is worth', () => {
  const again = (hash: string) => ({ is: 'replaced', sealedSuccessor: `after ${hash}` });
  test.each([
    ['the present one', 't2', 10_000, { is: 'current' }],
    ['the present one, after weeks', 't2', 30 * 86_400_000, { is: 'current' }],
    ['the one before it', 't1', 10_001, again('t1')],
    ['the one before it, after weeks: nobody has used its successor', 't1', 30 * 86_400_000, again('t1')],
    ['one whose successor was used, within its grace', 't0', graceMs - 1, again('t0')],
    ['one whose successor was used, after its grace', 't0', graceMs, { is: 'reused' }],
    ['one that is no longer in the row', 'older', 0, { is: 'reused' }],
    ['one whose successor was used, by a clock that is behind', 't0', -3000, again('t0')],
  ])('%s', (_name, hash, ms, expected) => {
    expect(standingOf(chain, hash, at(ms))).toEqual(expected);
  });

  test('the first token of a session', () => {
    expect(standingOf({ tokenHash: 't0' }, 't0', at(0))).toEqual({ is: 'current' });
    expect(standingOf({ tokenHash: 't0' }, 'other', at(0))).toEqual({ is: 'reused' });
  });
});

describe('what stays in the row', () => {
  const next = replaced('t2', 100_000);
  test('the one that is replaced, and those within their grace', () => {
    expect(replacing(chain, replaced('t2', 65_000), at(65_000))).toEqual([
      chain.predecessors?.[1],
      replaced('t2', 65_000),
    ]);
    expect(replacing(chain, next, at(100_000))).toEqual([next]);
    expect(replacing({ tokenHash: 't2' }, next, at(100_000))).toEqual([next]);
  });

  test('twenty within one minute are the most: then the token stays, so that none of them is forgotten', () => {
    const many = Array.from({ length: 20 }, (_, index) => replaced(`t${index}`, index));
    const full = { tokenHash: 't20', predecessors: many };
    expect(replacing({ ...full, predecessors: many.slice(1) }, replaced('t20', 20), at(20))).toHaveLength(20);
    expect(replacing(full, replaced('t20', 20), at(20))).toBeNull();
    // The oldest is out of its grace.
    expect(replacing(full, replaced('t20', graceMs), at(graceMs))).toHaveLength(20);
  });
});
