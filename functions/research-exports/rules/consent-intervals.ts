import { endAfter } from '../../../lib/contract/accounts.ts';

/** When a person consented: what the server received then, and at no other time, is in an export. Pure. */

/** From the first instant on, until the second, which is no longer in it; null: it goes on. */
export type Interval = { readonly from: string; readonly until: string | null };

type Recorded = { readonly action: 'agreed' | 'revoked'; readonly recordedAt: string };

/**
 * All intervals of a chain, in order. What was agreed to again without a revocation between is one interval.
 *
 * @param records of one user and one agreement, oldest first
 * @param ends of the account, in order: each ends every consent that was given until then
 */
export function consentIntervals(records: readonly Recorded[], ends: readonly string[]): Interval[] {
  const intervals: Interval[] = [];
  for (const [index, { action, recordedAt: from }] of records.entries()) {
    if (action !== 'agreed') continue;
    const stops = [records[index + 1]?.recordedAt, endAfter(from, ends)].filter((stop) => typeof stop === 'string');
    const until = stops.toSorted()[0] ?? null;
    if (until !== null && until <= from) continue;
    const before = intervals.at(-1);
    if (before?.until === from) intervals[intervals.length - 1] = { from: before.from, until };
    else intervals.push({ from, until });
  }
  return intervals;
}

/** @param at by the server's clock */
export function isWithin(intervals: readonly Interval[], at: string): boolean {
  return intervals.some(({ from, until }) => from <= at && (until === null || at < until));
}
