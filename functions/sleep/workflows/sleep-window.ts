import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { addDays, minuteOfClock } from '../rules/dates.ts';
import {
  type Changes,
  type Concerns,
  type Outlook,
  outlookOf,
  releasedPrescription,
  type Suspension,
  suspensionsOf,
} from '../rules/window.ts';
import { currentRules } from '../rules/window-rules.ts';
import { instantOf, wallTime } from '../rules/zone.ts';
import { readEntries } from '../stores/entry-rows.ts';
import { putWindow, readCurrentWindow, type WindowRow } from '../stores/window-rows.ts';

/** A patient's sleep window: what was released, and what follows from the diary since. */

type Tables = { SleepEntries: string; SleepWindows: string };

/** Asks the patient's questionnaires what speaks against a window. */
export type ReadConcerns = (userId: string) => Promise<Concerns>;

export type Standing = {
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
  const [current, rows, concerns] = await Promise.all([
    readCurrentWindow(client, tables.SleepWindows, userId),
    readEntries(client, tables.SleepEntries, range),
    readConcerns(userId),
  ]);
  const zone = rows.at(-1)?.content.zone ?? current?.zone ?? null;
  const today = zone === null ? null : wallTime(now.getTime(), zone).date;
  const nights = rows.map(({ night }) => night);
  const outlook = outlookOf(nights, current, today, currentRules);
  return { current, suspended: suspensionsOf(concerns, currentRules), outlook, today, zone };
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

export type Release =
  | { readonly refused: null; readonly window: WindowRow }
  | { readonly refused: 'suspended'; readonly because: readonly Suspension[] }
  | { readonly refused: 'changed'; readonly proposalId: string | null }
  | { readonly refused: 'not-due'; readonly outlook: Outlook };

type Asked = {
  readonly userId: string;
  readonly releasedBy: string;
  readonly proposalId: string;
  readonly changes: Changes;
  readonly now: Date;
  readonly readConcerns: ReadConcerns;
};

/**
 * Releases what is proposed, once: of two physicians the second gets the same window, or is told that there is another.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function releaseWindow(
  client: DynamoDBDocumentClient,
  tables: Tables,
  { userId, releasedBy, proposalId, changes, now, readConcerns }: Asked,
): Promise<Release> {
  return retryOnContention<Release>(async () => {
    const { current, suspended, outlook, today, zone } = await readStanding(client, tables, {
      userId,
      now,
      readConcerns,
    });
    if (current?.proposalId === proposalId) {
      return isAsReleased(current, changes)
        ? { refused: null, window: current }
        : { refused: 'changed', proposalId: null };
    }
    if (suspended.length > 0) return { refused: 'suspended', because: suspended };
    const { proposal } = outlook;
    if (!proposal || today === null || zone === null) return { refused: 'not-due', outlook };
    if (proposal.proposalId !== proposalId) return { refused: 'changed', proposalId: proposal.proposalId };
    const window: WindowRow = {
      ...releasedPrescription(proposal, changes),
      proposalId,
      sequence: (current?.sequence ?? 0) + 1,
      from: today,
      zone,
      releasedAt: now.toISOString(),
      releasedBy,
    };
    return (await putWindow(client, tables.SleepWindows, userId, window)) ? { refused: null, window } : contended;
  });
}

/** Whether a release that is repeated asks for what was released. */
function isAsReleased({ minutes, risingTime, because }: WindowRow, changes: Changes): boolean {
  const isChanged = because.includes('SET_BY_PHYSICIAN');
  if (!isChanged && changes.minutes === undefined && changes.risingTime === undefined) return true;
  return (
    (changes.minutes ?? minutes) === minutes &&
    (changes.risingTime ?? risingTime) === risingTime &&
    isChanged === (changes.minutes !== undefined || changes.risingTime !== undefined)
  );
}
