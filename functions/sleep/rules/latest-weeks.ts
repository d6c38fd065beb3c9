import { addDays, type Range } from './dates.ts';
import type { Episode } from './episode.ts';
import type { Night } from './night.ts';
import { summaryOf, tallyOf } from './summary.ts';
import { wallTime } from './zone.ts';

/** The last four weeks of a diary. Pure. */

const latestDays = 28;

type Nights = {
  readonly rows: readonly {
    readonly date: string;
    readonly content: { readonly zone: string };
    readonly night: Night;
  }[];
  readonly episodes: readonly Episode[];
};

/** A range that includes a patient's own four weeks in any zone. */
export function rangeOfLatestWeeks(now: Date): Range {
  const utc = now.toISOString().slice(0, 10);
  return { from: addDays(utc, -latestDays), to: addDays(utc, 1) };
}

/** The patient's four weeks up to today, in the zone of the latest night. */
export function latestWeeksOf({ rows, episodes }: Nights, now: Date) {
  const to = wallTime(now.getTime(), rows.at(-1)?.content.zone ?? 'UTC').date;
  const from = addDays(to, 1 - latestDays);
  const isIn = ({ date }: { date: string }) => date >= from && date <= to;
  const own = rows.filter(isIn);
  const nights = own.map(({ night }) => night);
  const tally = tallyOf(nights, episodes.filter(isIn));
  return { summary: { from, to, ...summaryOf(tally, nights) }, lastDate: own.at(-1)?.date ?? null };
}
