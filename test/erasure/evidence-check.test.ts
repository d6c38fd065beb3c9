import { describe, expect, test } from 'vitest';
import { irregularityOf, type RequestEvidence } from '../../functions/erasure/rules/evidence-check.ts';

const day = (number: number) => new Date(Date.UTC(2026, 2, number));
const rules = { graceMs: 7 * 86_400_000, dueMs: 7 * 86_400_000, now: day(20) };
const asked: RequestEvidence = {
  requestedAt: day(1).toISOString(),
  askedAt: day(1),
  isSeen: true,
  begunAt: null,
  isErased: false,
};
const again = { ...asked, requestedAt: new Date(day(1).getTime() + 60_000).toISOString() };

describe('the requests of users, and their outcome in the evidence', () => {
  test.each<[string, RequestEvidence, string | null]>([
    ['erased in its time', { ...asked, begunAt: day(8), isErased: true }, null],
    [
      'begun a moment before the grace was over',
      { ...asked, begunAt: new Date(day(8).getTime() - 1) },
      'begun-within-the-grace',
    ],
    ['erased, and nobody asked', { ...asked, askedAt: null, isErased: true }, 'erased-unasked'],
    ['begun, and nobody asked', { ...asked, askedAt: null, begunAt: day(8) }, 'erased-unasked'],
    ['erased, and never begun', { ...asked, isErased: true }, 'erased-unbegun'],
    ['seen, and nobody asked: nothing was done', { ...asked, askedAt: null }, null],
    ['not erased a day after it was due', { ...asked, askedAt: new Date(day(12).getTime() - 1) }, 'overdue'],
    ['not erased within that day', { ...asked, askedAt: day(12) }, null],
    ['begun, and not ended', { ...asked, begunAt: day(8) }, 'overdue'],
    ['never seen', { ...asked, isSeen: false }, 'never-taken-up'],
  ])('%s', (_, evidence, irregularity) => {
    expect(irregularityOf(evidence, [evidence], rules)).toBe(irregularity);
  });

  test('after a double click one request is carried out, and that is enough', () => {
    const unseen = { ...asked, isSeen: false };
    expect(irregularityOf(unseen, [unseen, again], rules)).toBe(null);
    expect(irregularityOf(unseen, [unseen, { ...again, isSeen: false }], rules)).toBe('never-taken-up');
    const later = { ...again, requestedAt: new Date(day(1).getTime() + 60_001).toISOString() };
    expect(irregularityOf(unseen, [unseen, later], rules)).toBe('never-taken-up');
  });
});
