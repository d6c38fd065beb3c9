import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Period, periodsIn, type Range } from '../rules/dates.ts';
import { joinedTallies, noTally, summaryOf, tallyOf } from '../rules/summary.ts';
import { readEntries } from '../stores/entry-rows.ts';
import { readEpisodes } from '../stores/episode-rows.ts';

type Asked = Range & { readonly userId: string; readonly by: Period };

/** A range as a whole and by its periods: a Query for each table, whatever the periods are. */
export async function readSummary(
  client: DynamoDBDocumentClient,
  tables: { SleepEntries: string; SleepEpisodes: string },
  { userId, from, to, by }: Asked,
) {
  const range = { userId, from, to };
  const [rows, episodes] = await Promise.all([
    readEntries(client, tables.SleepEntries, range),
    readEpisodes(client, tables.SleepEpisodes, range),
  ]);
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
