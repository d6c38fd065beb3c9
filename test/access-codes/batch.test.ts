import { describe, expect, test } from 'vitest';
import {
  type Batch,
  type CodeGroup,
  type CodeRow,
  chunkSize,
  chunksOf,
  groupOf,
  groupSize,
  statusOf,
  summaryOf,
} from '../../functions/access-codes/rules/batch.ts';

const batch: Batch = {
  batchId: 'b',
  count: 20,
  kind: 'clinic',
  programmeId: 'insomnia-basic',
  grantsDays: 90,
  redeemBy: '2026-03-10T12:00:00.000Z',
  siteId: null,
  studyId: null,
  createdAt: '2026-03-01T12:00:00.000Z',
  revokedAt: null,
  entitlementsEndedAt: null,
  revision: 1,
};
const revokedBatch = { ...batch, revokedAt: '2026-03-05T12:00:00.000Z' };
const row: CodeRow = { accessCodeId: 'c', batchId: 'b', part: 'g00' };
const [inTime, late] = [new Date(batch.redeemBy), new Date('2026-03-10T12:00:00.001Z')];

describe('the status of a code', () => {
  const redeemed = { ...row, redeemedAt: 'x' };
  const revoked = { ...row, revokedAt: 'x' };
  test.each([
    ['can be redeemed, to the last instant', row, batch, inTime, 'issued'],
    ['not a millisecond later', row, batch, late, 'expired'],
    ['revoked by itself', revoked, batch, late, 'revoked'],
    ['revoked with its batch', row, revokedBatch, late, 'revoked'],
    ['redeemed, whatever came later', redeemed, revokedBatch, late, 'redeemed'],
  ] as const)('%s', (_case, code, of, now, status) => {
    expect(statusOf(code, of, now)).toBe(status);
  });
});

describe('the counts of a batch', () => {
  const group = (codes: number, redeemed: number, revoked: number): CodeGroup => {
    return { batchId: 'b', part: 'g00', codes, redeemed, revoked };
  };
  const groups = [group(16, 5, 1), group(4, 1, 0)];
  test.each([
    ['open', batch, inTime, groups, 'issued', [13, 6, 0, 1]],
    ['expired', batch, late, groups, 'issued', [0, 6, 13, 1]],
    ['revoked', revokedBatch, late, groups, 'revoked', [0, 6, 0, 14]],
    ['not all written yet', batch, inTime, groups.slice(0, 1), 'issuing', [10, 5, 0, 1]],
    ['nothing written yet', batch, inTime, [], 'issuing', [0, 0, 0, 0]],
  ] as const)('%s', (_case, of, now, those, status, [issued, redeemed, expired, revoked]) => {
    const summary = summaryOf(of, those, now);
    expect([summary.status, summary.counts]).toEqual([status, { issued, redeemed, expired, revoked }]);
    expect(summary).not.toHaveProperty('revision');
  });
});

test('entitlements count as ended when those of each group are', () => {
  const ended = { ...revokedBatch, entitlementsEndedAt: '2026-01-02T00:00:00.000Z' };
  const group: CodeGroup = { batchId: 'b', part: 'g00', codes: 1, redeemed: 1, revoked: 0 };
  const marked = { ...group, revokedAt: 'x', entitlementsEndedAt: 'x' };
  const shown = (...groups: CodeGroup[]) => summaryOf(ended, groups, late).entitlementsEndedAt;
  expect(shown(marked, { ...group, revokedAt: 'x' })).toBeNull();
  expect(shown(marked, marked)).toBe(ended.entitlementsEndedAt);
});

test('a batch is written in parts that fit into a transaction, each code in one of them and in one group', () => {
  for (const count of [1, 16, 17, 80, 81, 999, 1000]) {
    const chunks = chunksOf(count);
    expect(chunks.reduce((sum, { size }) => sum + size, 0)).toBe(count);
    expect(new Set(chunks.map(({ part }) => part)).size).toBe(chunks.length);
    for (const [index, { from, size }] of chunks.entries()) {
      expect(from).toBe(index * chunkSize);
      // Codes, groups, the batch, the sealed copy and the caller's account.
      expect(size + Math.ceil(size / groupSize) + 3).toBeLessThanOrEqual(100);
    }
  }
  // No group begins in one part and ends in the next one.
  expect(chunkSize % groupSize).toBe(0);
  expect([groupOf(0), groupOf(15), groupOf(16), groupOf(999)]).toEqual(['g00', 'g00', 'g01', 'g62']);
});
