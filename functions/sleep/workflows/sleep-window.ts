import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { addDays, minuteOfClock } from '../rules/dates.ts';
import { type Concerns, type Outlook, outlookOf, type Suspension, suspensionsOf } from '../rules/window.ts';
import { currentRules } from '../rules/window-rules.ts';
import { instantOf, wallTime } from '../rules/zone.ts';
import { readEntries } from '../stores/entry-rows.ts';
import { readLastWindow, type WindowRow } from '../stores/window-rows.ts';

/** A patient's sleep window: what was released, and what follows from the diary since. */

export type Tables = { SleepEntries: string; SleepWindows: string };

/** Asks the patient's questionnaires what speaks against a window. */
export type ReadConcerns = (userId: string) => Promise<Concerns>;

export type Standing = {
  /** What was released or taken back last. */
  readonly last: WindowRow | null;
  /** Null where nothing is prescribed. */
  readonly current: WindowRow | null;
  readonly suspended: readonly Suspension[];
  readonly outlook: Outlook;
  /** The patient's own date; null where no zone is known. */
  readonly today: string | null;
  readonly zone: string | null;
};

const dayMs = 86_400_000;

/** What is, at this moment. It writes nothing. */
export async function readStanding(
  client: DynamoDBDocumentClient,
  tables: Tables,
  { userId, now, readConcerns }: { userId: string; now: Date; readConcerns: ReadConcerns },
): Promise<Standing> {
  // Wide enough for seven days in any zone.
  const utc = now.toISOString().slice(0, 10);
  const range = { userId, from: addDays(utc, -8), to: addDays(utc, 1) };
  const [last, rows, concerns] = await Promise.all([
    readLastWindow(client, tables.SleepWindows, userId),
    readEntries(client, tables.SleepEntries, range),
    readConcerns(userId),
  ]);
  const current = last?.isWithdrawn ? null : last;
  const zone = rows.at(-1)?.content.zone ?? last?.zone ?? null;
  const today = zone === null ? null : wallTime(now.getTime(), zone).date;
  const nights = rows.map(({ night }) => night);
  const outlook = outlookOf(nights, last, today, currentRules);
  return { last, current, suspended: suspensionsOf(concerns, currentRules), outlook, today, zone };
}

/** The next night of a window, up to the rising time that is still to come. */
export function tonightOf({ current, suspended, today, zone }: Standing, now: Date) {
  if (!current || suspended.length > 0 || today === null || zone === null) return null;
  const minute = minuteOfClock(current.risingTime);
  const risesAt = (date: string) => instantOf({ date, minute }, zone);
  const isOver = risesAt(today) <= now.getTime() || today <= current.from;
  const outOfBed = risesAt(isOver ? addDays(today, 1) : today);
  return {
    inBedAt: new Date(outOfBed - (current.minutes * dayMs) / 1440).toISOString(),
    outOfBedAt: new Date(outOfBed).toISOString(),
  };
}
