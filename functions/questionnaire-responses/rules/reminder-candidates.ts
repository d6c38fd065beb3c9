import { addDays, type Bundle, isAnchoredAtWindow, remindingDays } from '../../questionnaires/rules.ts';

/** Where a reminder run looks for its users: in the order of bundles and dates, then the runs of sleep windows. Pure. */

export type CandidateSource =
  | { readonly bundleId: string; readonly date: string; readonly bundle: Bundle; readonly programmeId: string }
  | { readonly bundleId: typeof runs; readonly date: string; readonly bundle: null };

/** Sorts after every id of a bundle. */
const runs = '~runs';

/** Runs that began earlier get no reminders. The app still shows what is due. */
const runMonths = 24;

/**
 * Only users who started on one of these days or in one of these months can get a reminder today, in any time zone.
 * Nobody else is read.
 */
export function candidateSourcesOf(bundles: readonly Bundle[], utc: string): CandidateSource[] {
  return [...bundles.flatMap((bundle) => startsOf(bundle, utc)), ...runsOf(bundles, utc)];
}

function startsOf(bundle: Bundle, utc: string): CandidateSource[] {
  const { programmeId, bundleId } = bundle;
  if (programmeId === null) return [];
  // Both the UTC date of the start and the patient's own date of today may differ by one day.
  const dates = remindingDays(bundle).flatMap((day) => [-2, -1, 0, 1, 2].map((off) => addDays(utc, off - day)));
  return [...new Set(dates)].toSorted().map((date) => ({ bundle, bundleId, programmeId, date }));
}

function runsOf(bundles: readonly Bundle[], utc: string): CandidateSource[] {
  if (!bundles.some(isAnchoredAtWindow)) return [];
  const [year = 0, month = 1] = utc.split('-').map(Number);
  return Array.from({ length: runMonths }, (_, index) => {
    const date = new Date(Date.UTC(year, month - 1 - (runMonths - 1 - index), 1)).toISOString().slice(0, 7);
    return { bundleId: runs, date, bundle: null };
  });
}

type Point = { readonly bundleId: string; readonly date: string };

/** Below 0 if a run that stopped at `position` has already passed this place, 0 if it is in the middle of it. */
export function comparedTo(position: Point, { bundleId, date }: Point): number {
  if (bundleId !== position.bundleId) return bundleId < position.bundleId ? -1 : 1;
  return date === position.date ? 0 : date < position.date ? -1 : 1;
}
