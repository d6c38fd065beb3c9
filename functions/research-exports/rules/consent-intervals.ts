import { endAfter } from '../../../lib/contract/accounts.ts';

/** When a person consented: an export has only what the server received in these intervals. Pure. */

/** Includes the first instant, and not the second; null if the consent has not ended. */
export type Interval = { readonly from: string; readonly until: string | null };

type Recorded = { readonly action: 'agreed' | 'revoked'; readonly recordedAt: string };

/**
 * All intervals of a chain, in order. If a participant agrees again without a revocation in between, it stays one interval.
 *
 * @param records of one user and one agreement, oldest first
 * @param ends when the account was closed, in order: each end also ends every consent that was given before it
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
