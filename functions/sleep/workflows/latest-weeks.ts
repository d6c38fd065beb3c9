import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { addDays } from '../rules/dates.ts';
import { wallTime } from '../rules/zone.ts';
import { type Nights, readNights, summaryWithin } from './sleep-summary.ts';

export const latestDays = 28;

/** Wide enough for the patient's own four weeks, in whichever zone: what of it they are is decided when it is read. */
export async function readLatestWeeks(
  client: DynamoDBDocumentClient,
  tables: Parameters<typeof readNights>[1],
  { userId, now }: { userId: string; now: Date },
): Promise<Nights> {
  const utc = now.toISOString().slice(0, 10);
  return readNights(client, tables, { userId, from: addDays(utc, -latestDays), to: addDays(utc, 1) });
}

/** The patient's four weeks up to today, in the zone of the latest night. */
export function latestWeeksOf(nights: Nights, now: Date) {
  const zone = nights.rows.at(-1)?.content.zone ?? 'UTC';
  const to = wallTime(now.getTime(), zone).date;
  const from = addDays(to, 1 - latestDays);
  const isIn = ({ date }: { date: string }) => date >= from && date <= to;
  const within = { rows: nights.rows.filter(isIn), episodes: nights.episodes.filter(isIn) };
  const { by: _by, periods: _periods, ...summary } = summaryWithin(within, { from, to, by: 'month' });
  return { summary, lastDate: within.rows.at(-1)?.date ?? null };
}
