import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { addDays, minuteOfClock } from '../rules/dates.ts';
import { type Releaser, type ReleaseWay, releaserOf, type Screened } from '../rules/release.ts';
import {
  type Concerns,
  type Outlook,
  outlookOf,
  type Suspension,
  screeningSuspends,
  suspensionsOf,
} from '../rules/window.ts';
import { currentRules } from '../rules/window-rules.ts';
import { instantOf, wallTime } from '../rules/zone.ts';
import { readEntries } from '../stores/entry-rows.ts';
import { readLastWindow, type WindowRow } from '../stores/window-rows.ts';

/** A patient's sleep window: the released window, and the proposal that follows from the newer diary. */

export type Tables = { SleepEntries: string; SleepWindows: string };

export type Asked = Concerns & {
  readonly screened: Screened | null;
  readonly ways: readonly ReleaseWay[];
  readonly isAdult: boolean;
};

/** Reads what speaks against a window, and who can release one. */
export type ReadConcerns = (userId: string, now: Date) => Promise<Asked>;

export type Standing = {
  /** The last release or withdrawal. */
  readonly last: WindowRow | null;
  /** Null if nothing is prescribed. */
  readonly current: WindowRow | null;
  /** Why the patient should follow no window at present. */
  readonly suspended: readonly Suspension[];
  /** Those reasons because of which a physician cannot release anything either. */
  readonly blocking: readonly Suspension[];
  readonly releaser: Releaser;
  readonly screened: Screened | null;
  readonly outlook: Outlook;
  /** The patient's own date; null if no zone is known. */
  readonly today: string | null;
  readonly zone: string | null;
};

const dayMs = 86_400_000;

/** Reads the present state. It writes nothing. */
export async function readStanding(
  client: DynamoDBDocumentClient,
  tables: Tables,
  { userId, now, readConcerns }: { userId: string; now: Date; readConcerns: ReadConcerns },
): Promise<Standing> {
  // This range includes seven days in any zone.
  const utc = now.toISOString().slice(0, 10);
  const range = { userId, from: addDays(utc, -8), to: addDays(utc, 1) };
  const [last, rows, concerns] = await Promise.all([
    readLastWindow(client, tables.SleepWindows, userId),
    readEntries(client, tables.SleepEntries, range),
    readConcerns(userId, now),
  ]);
  const current = last?.isWithdrawn ? null : last;
  const zone = rows.at(-1)?.content.zone ?? last?.zone ?? null;
  const today = zone === null ? null : wallTime(now.getTime(), zone).date;
  const nights = rows.map(({ night }) => night);
  const outlook = outlookOf(nights, last, today, currentRules);
  const { screened, ways, isAdult } = concerns;
  const blocking = suspensionsOf(concerns, currentRules);
  const suspended = [...blocking, ...screeningSuspends(current, screened)];
  const release = {
    ways,
    screened,
    isAdult,
    isWithdrawn: last?.isWithdrawn ?? false,
    minutes: outlook.proposal?.minutes ?? null,
  };
  const releaser = releaserOf(release, currentRules, now);
  return { last, current, suspended, blocking, releaser, screened, outlook, today, zone };
}

/** The next night of a window, or the present one until its rising time. */
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
