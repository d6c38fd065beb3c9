import { type Period, periodsIn, type Range } from '../rules/dates.ts';
import { joinedTallies, noTally, summaryOf, tallyOf } from '../rules/summary.ts';
import { readEntries } from '../stores/entry-rows.ts';
import { readEpisodes } from '../stores/episode-rows.ts';
import type { SleepEntries, SleepEpisodes } from '../tables.ts';

type SleepSummaryTables = {
  SleepEntries: SleepEntries<'query'>;
  SleepEpisodes: SleepEpisodes<'query'>;
};

export type Nights = Awaited<ReturnType<typeof readNights>>;

/** Reads a range of the diary and of the episodes, with one Query each. */
export async function readNights(tables: SleepSummaryTables, range: Range & { userId: string }) {
  const [rows, episodes] = await Promise.all([
    readEntries(tables.SleepEntries, range),
    readEpisodes(tables.SleepEpisodes, range),
  ]);
  return { rows, episodes };
}

/** The range as a whole and by its periods. */
export function summaryWithin({ rows, episodes }: Nights, { from, to, by }: Range & { by: Period }) {
  const nights = rows.map(({ night }) => night);
  const isIn =
    ({ from: first, to: last }: Range) =>
    ({ date }: { date: string }) =>
      date >= first && date <= last;
  const periods = periodsIn({ from, to }, by).map((period) => {
    const own = nights.filter(isIn(period));
    return { period, own, tally: tallyOf(own, episodes.filter(isIn(period))) };
  });
  const whole = periods.reduce((sum, { tally }) => joinedTallies(sum, tally), noTally);
  return {
    from,
    to,
    by,
    ...summaryOf(whole, nights),
    periods: periods.map(({ period, own, tally }) => ({ ...period, ...summaryOf(tally, own) })),
  };
}
