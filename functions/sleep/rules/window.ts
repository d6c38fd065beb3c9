import { createHash } from 'node:crypto';
import { onLine } from './clock-times.ts';
import { addDays, clockOf, dayMinutes, minuteOfClock, type Range } from './dates.ts';
import { rounded } from './moments.ts';
import type { Night } from './night.ts';
import type { ReleaseWay } from './release.ts';
import { efficiencyOf } from './summary.ts';
import type { WindowRules } from './window-rules.ts';

/** The sleep window of sleep restriction therapy: the times at which somebody should go to bed and get up. Pure. */

/** Why a window is as it is, in the order in which the rules were applied. */
export const reasonCodes = [
  'FIRST_WINDOW',
  'EFFICIENCY_HIGH',
  'EFFICIENCY_LOW',
  'EFFICIENCY_BETWEEN',
  'AT_LEAST',
  'AT_MOST',
  'KEPT_AS_PRESCRIBED',
  'SET_BY_PHYSICIAN',
] as const;

export type ReasonCode = (typeof reasonCodes)[number];

/** The nights from which the window follows. */
type Week = Range & {
  readonly nights: number;
  readonly meanSleepMinutes: number;
  /** All sleep divided by all time in bed, in percent. */
  readonly efficiencyPercent: number;
};

export type Prescription = {
  readonly minutes: number;
  /** Clock times, `06:30`, wherever the patient is. */
  readonly bedTime: string;
  readonly risingTime: string;
  readonly ruleVersion: string;
  readonly because: readonly ReasonCode[];
  readonly week: Week;
};

export type Proposal = Prescription & { readonly proposalId: string };

/** When the latest answer of each kind arrived that speaks against a window; null if none is known. */
export type Signs = {
  readonly sleepyAt: string | null;
  /** A low mood. */
  readonly lowMoodAt: string | null;
  /** An answer of the screening that excludes a window without a physician. */
  readonly excludedAt: string | null;
};

/** A released window; it never changes. Its signs are the latest ones that the decision knew. A later one suspends it. */
export type SleepWindow = Prescription &
  Signs & {
    /** From 1. */
    readonly sequence: number;
    /** The date of the first evening. */
    readonly from: string;
    readonly releasedAt: string;
    /** The proposal that the physician saw. */
    readonly proposalId: string;
    /** The proposed window; a physician may have released another one. */
    readonly proposed: Times;
    /** The number of the window that a physician replaced by this one, or withdrew; null for a proposed window. */
    readonly replaces: number | null;
    /** The window was withdrawn: nothing is prescribed any more. */
    readonly isWithdrawn: boolean;
    /** Who decided: a physician, or the patient after a screening. */
    readonly by: ReleaseWay;
    /** The response on which the patient's release is based; null for a physician's release. */
    readonly screening: { readonly responseId: string; readonly version: string } | null;
    /** The date of the first evening of the first window of the run that this one belongs to. */
    readonly startedOn: string;
    /** How many windows sleepiness had suspended since a physician last released one. */
    readonly sleepySuspensions: number;
  };

export type Times = { readonly minutes: number; readonly risingTime: string };

/** Why the next window is not proposed yet. */
export type Waiting = 'NO_DIARY' | 'TOO_FEW_NIGHTS' | 'WEEK_NOT_OVER';

export type Outlook =
  | { readonly proposal: Proposal; readonly waiting: null; readonly nights: number; readonly dueOn: string }
  | { readonly proposal: null; readonly waiting: Waiting; readonly nights: number; readonly dueOn: string | null };

export type Since = { readonly isFirst: boolean; readonly signs: Signs };

const noSigns: Signs = { sleepyAt: null, lowMoodAt: null, excludedAt: null };

/**
 * The proposal that follows from the diary of the last seven days, up to today. The first window follows from how long
 * somebody slept. Each later one follows from the window before it and from how much of the time in bed was sleep.
 * Nothing is stored.
 *
 * @param nights the nights of the diary; only the last seven days count
 * @param last the last released window; after a withdrawal, the next window is a first one
 * @param today the patient's own date; null without a diary
 * @param since what has happened since then: whether the next window is a first one, and the latest signs
 */
export function outlookOf(
  nights: readonly Night[],
  last: SleepWindow | null,
  today: string | null,
  rules: WindowRules,
  since: Since = { isFirst: false, signs: noSigns },
): Outlook {
  const previous = last?.isWithdrawn || since.isFirst ? null : last;
  if (today === null) return { proposal: null, waiting: 'NO_DIARY', nights: 0, dueOn: null };
  const week = { from: addDays(today, -6), to: today };
  const dueOn = previous ? addDays(previous.from, rules.everyDays) : today;
  // A night belongs to a window that began on the evening before it, or earlier.
  const counted = nights.filter(
    ({ date }) => date >= week.from && date <= week.to && (previous === null || date > previous.from),
  );
  const common = { nights: counted.length, dueOn };
  if (today < dueOn) return { proposal: null, waiting: 'WEEK_NOT_OVER', ...common };
  if (counted.length < rules.nightsNeeded) return { proposal: null, waiting: 'TOO_FEW_NIGHTS', ...common };
  return {
    proposal: proposalOf(counted, week, { last, previous, signs: since.signs }, rules),
    waiting: null,
    ...common,
  };
}

type Before = {
  readonly last: SleepWindow | null;
  readonly previous: SleepWindow | null;
  readonly signs: Signs;
};

function proposalOf(
  nights: readonly Night[],
  range: Range,
  { last, previous, signs }: Before,
  rules: WindowRules,
): Proposal {
  const slept = nights.reduce((sum, { totalSleep }) => sum + totalSleep, 0);
  const week: Week = {
    ...range,
    nights: nights.length,
    meanSleepMinutes: rounded(slept / nights.length),
    efficiencyPercent: efficiencyOf(nights) ?? 0,
  };
  const { minutes, because } = previous
    ? nextMinutes(previous, nights, rules)
    : firstMinutes(slept / nights.length, rules);
  const risingTime = previous?.risingTime ?? usualRisingTime(nights, rules);
  const prescription = prescribed({ minutes, risingTime, ruleVersion: rules.version, because, week });
  // A physician who saw the proposal before a sign came must see it again.
  const { sleepyAt, lowMoodAt, excludedAt } = signs;
  const rests = [last?.sequence ?? 0, prescription, nights, sleepyAt, lowMoodAt, excludedAt];
  return { ...prescription, proposalId: idOf(rests) };
}

/** A UUID of version 8 (RFC 9562), so that it is an id as others are. */
export function idOf(rests: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(rests)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type Decided = { readonly minutes: number; readonly because: readonly ReasonCode[] };

function firstMinutes(meanSleep: number, rules: WindowRules): Decided {
  const minutes = Math.round(meanSleep / rules.roundedToMinutes) * rules.roundedToMinutes;
  return bounded({ minutes, because: ['FIRST_WINDOW'] }, rules.leastMinutes, rules.mostMinutes);
}

function nextMinutes(previous: SleepWindow, nights: readonly Night[], rules: WindowRules): Decided {
  const { minutes } = previous;
  const next = stepped(minutes, nights, rules);
  // If a physician's window is outside the bounds, the next one is the same or nearer to the bounds.
  const isFurther =
    (minutes < rules.leastMinutes && next.minutes < minutes) || (minutes > rules.mostMinutes && next.minutes > minutes);
  if (isFurther) return { minutes, because: ['KEPT_AS_PRESCRIBED'] };
  return bounded(next, Math.min(rules.leastMinutes, minutes), Math.max(rules.mostMinutes, minutes));
}

function stepped(minutes: number, nights: readonly Night[], rules: WindowRules): Decided {
  const asleep = nights.reduce((sum, { totalSleep }) => sum + totalSleep, 0);
  const inBed = nights.reduce((sum, { timeInBed }) => sum + timeInBed, 0);
  // Computed with whole numbers, so that exactly 90 % counts as 90 %.
  if (inBed > 0 && 100 * asleep >= rules.longerFromPercent * inBed) {
    return { minutes: minutes + rules.stepMinutes, because: ['EFFICIENCY_HIGH'] };
  }
  if (100 * asleep < rules.shorterBelowPercent * inBed || inBed === 0) {
    return { minutes: minutes - rules.stepMinutes, because: ['EFFICIENCY_LOW'] };
  }
  return { minutes, because: ['EFFICIENCY_BETWEEN'] };
}

function bounded({ minutes, because }: Decided, least: number, most: number): Decided {
  if (minutes < least) return { minutes: least, because: [...because, 'AT_LEAST'] };
  if (minutes > most) return { minutes: most, because: [...because, 'AT_MOST'] };
  return { minutes, because };
}

/**
 * The median of the times of getting up; of two middle times, the earlier one. On this clock 23:50 and 00:10 are near
 * each other.
 */
function usualRisingTime(nights: readonly Night[], { roundedToMinutes }: WindowRules): string {
  const risen = nights.flatMap(({ riseMinute }) => (riseMinute === null ? [] : [riseMinute]));
  const sorted = onLine(risen, { around: dayMinutes, from: 0 });
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? minuteOfClock('07:00');
  return clockOf(Math.round(median / roundedToMinutes) * roundedToMinutes);
}

/** The time to go to bed follows from the other two. */
function prescribed(of: Omit<Prescription, 'bedTime'>): Prescription {
  return { ...of, bedTime: clockOf(minuteOfClock(of.risingTime) - of.minutes) };
}

/** The changes that a physician makes to a proposal. */
export type Changes = { readonly minutes?: number | undefined; readonly risingTime?: string | undefined };

/** The released window: the proposal with the physician's changes. */
export function releasedPrescription(proposal: Proposal, { minutes, risingTime }: Changes): Prescription {
  const { proposalId: _seen, ...prescription } = proposal;
  const isChanged =
    (minutes !== undefined && minutes !== proposal.minutes) ||
    (risingTime !== undefined && risingTime !== proposal.risingTime);
  if (!isChanged) return prescription;
  return prescribed({
    ...prescription,
    minutes: minutes ?? proposal.minutes,
    risingTime: risingTime ?? proposal.risingTime,
    because: [...proposal.because, 'SET_BY_PHYSICIAN'],
  });
}

/** The window that a physician prescribes in place of a released one. A field that is left out stays the same. */
export function correctedPrescription(window: SleepWindow, changes: Changes): Prescription {
  const { minutes, risingTime, ruleVersion, because, week, proposed, proposalId } = window;
  const times = { minutes: changes.minutes ?? minutes, risingTime: changes.risingTime ?? risingTime };
  const asProposed = because.filter((code) => code !== 'SET_BY_PHYSICIAN');
  const proposal = { ...proposed, ruleVersion, because: asProposed, week, proposalId };
  return releasedPrescription({ ...prescribed(proposal), proposalId }, times);
}

/** Whether a repeated release of its proposal with these changes requests the same window that was released. */
export function isAsReleased(window: SleepWindow, { minutes, risingTime }: Changes): boolean {
  const { proposed } = window;
  return isUnchanged(window, {
    minutes: minutes ?? proposed.minutes,
    risingTime: risingTime ?? proposed.risingTime,
  });
}

/** Whether these changes leave a window as it is. */
export function isUnchanged({ minutes, risingTime }: Times, changes: Changes): boolean {
  return (changes.minutes ?? minutes) === minutes && (changes.risingTime ?? risingTime) === risingTime;
}
