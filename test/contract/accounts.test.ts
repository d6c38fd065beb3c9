import { expect, test } from 'vitest';
import { endAfter } from '../../lib/contract/accounts.ts';

test('the first end of the account since a consent ended it, also one of the same millisecond', () => {
  const ends = ['2026-03-01T12:00:00.000Z', '2026-04-01T12:00:00.000Z'];
  expect(endAfter('2026-02-01T12:00:00.000Z', ends)).toBe(ends[0]);
  expect(endAfter('2026-03-01T12:00:00.000Z', ends)).toBe(ends[0]);
  expect(endAfter('2026-03-01T12:00:00.001Z', ends)).toBe(ends[1]);
  expect(endAfter('2026-04-01T12:00:00.001Z', ends)).toBeNull();
  expect(endAfter('2026-02-01T12:00:00.000Z', [])).toBeNull();
});
