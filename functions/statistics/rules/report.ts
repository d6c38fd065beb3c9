import { type Counts, countNames, nothing } from './tally.ts';

/** From the counted figures to what stood at the end of each day. Pure; dates are `2026-11-21`, in UTC. */

export type DayFigures = { date: string; versionId: string; counts: Counts };

/** What is counted of an agreement: since ever, and of every day from the first that is asked for until the last there is. */
export type Figures = { totals: ReadonlyMap<string, Counts>; days: readonly DayFigures[] };

type Stand = { versionId: string; agreeing: number; revoked: number; reconsentDue: number };

/** Whether users with a consent to a version had to agree again at the end of a day. */
export type IsDue = (versionId: string, date: string) => boolean;

/** What ever happened to a version, and how it stands after that. */
export function standOf(versionId: string, counts: Counts, isDue: boolean): Stand & Counts {
  const agreeing = counts.agreements - counts.revocations - counts.replaced;
  const revoked = counts.revocations - counts.returns;
  return { versionId, agreeing, revoked, reconsentDue: isDue ? agreeing : 0, ...counts };
}

/**
 * What happened on each day, and how all stood at its end: backwards from the totals, so that no day before the first has
 * to be known.
 */
export function seriesOf({ totals, days }: Figures, dates: readonly string[], isDue: IsDue) {
  const byDate = Map.groupBy(days, ({ date }) => date);
  const end = new Map([...totals].map(([versionId, counts]) => [versionId, { ...counts }]));
  const takeBack = (date: string) => {
    for (const { versionId, counts } of byDate.get(date) ?? []) {
      const left = end.get(versionId) ?? { ...nothing };
      for (const name of countNames) left[name] -= counts[name];
      end.set(versionId, left);
    }
  };
  const last = dates.at(-1) ?? '';
  // What an imported record or a clock that was set brought beyond the last day.
  for (const date of byDate.keys()) if (date > last) takeBack(date);
  const series = dates.toReversed().map((date) => {
    const happened = new Map((byDate.get(date) ?? []).map(({ versionId, counts }) => [versionId, counts]));
    const versions = [...end]
      .map(([versionId, counts]) => ({
        ...standOf(versionId, counts, isDue(versionId, date)),
        // Not since ever, but on this day.
        ...(happened.get(versionId) ?? nothing),
      }))
      .filter(({ versionId, agreeing, revoked }) => agreeing !== 0 || revoked !== 0 || happened.has(versionId));
    takeBack(date);
    return { date, ...sumOf(versions), versions };
  });
  return series.toReversed();
}

const summed = ['agreeing', 'revoked', 'reconsentDue', ...countNames] as const;

/** Over all versions of an agreement. */
export function sumOf(versions: readonly (Omit<Stand, 'versionId'> & Counts)[]) {
  const sums = summed.map((name) => [name, versions.reduce((sum, version) => sum + version[name], 0)]);
  return Object.fromEntries(sums) as Record<(typeof summed)[number], number>;
}
