import { createHash } from 'node:crypto';
import { onLine } from './clock-times.ts';
import { addDays, clockOf, dayMinutes, minuteOfClock, type Range } from './dates.ts';
import { rounded } from './moments.ts';
import type { Night } from './night.ts';
import { excludes, type ReleaseWay, type Screened } from './release.ts';
import { efficiencyOf } from './summary.ts';
import type { WindowRules } from './window-rules.ts';

/** The sleep window of sleep restriction therapy: from when until when somebody is to be in bed. Pure. */

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

/** What the nights were that it rests on. */
export type Week = Range & {
  readonly nights: number;
  readonly meanSleepMinutes: number;
  /** All sleep by all time in bed, in percent. */
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

/** As it was released; it never changes. */
export type SleepWindow = Prescription & {
  /** From 1. */
  readonly sequence: number;
  /** The date of the first evening. */
  readonly from: string;
  readonly releasedAt: string;
  /** The proposal that the physician saw. */
  readonly proposalId: string;
  /** What was proposed, whatever was released. */
  readonly proposed: Times;
  /** The number of the window that a physician replaced by this one, or took back; null of one that was proposed. */
  readonly replaces: number | null;
  /** Taken back: nothing is prescribed any more. */
  readonly isWithdrawn: boolean;
  /** Who decided: a physician, or the patient after a screening. */
  readonly by: ReleaseWay;
  /** The response that the patient's release rests on; null of a physician's. */
  readonly screening: { readonly responseId: string; readonly version: string } | null;
};

export type Times = { readonly minutes: number; readonly risingTime: string };

/** What the next window waits for. */
export type Waiting = 'NO_DIARY' | 'TOO_FEW_NIGHTS' | 'WEEK_NOT_OVER';

export type Outlook =
  | { readonly proposal: Proposal; readonly waiting: null; readonly nights: number; readonly dueOn: string }
  | { readonly proposal: null; readonly waiting: Waiting; readonly nights: number; readonly dueOn: string | null };

/**
 * What follows from the diary of the last seven days, up to today: the first window from how long somebody slept, each later
 * one from the window before it and how much of the time in bed was sleep. Nothing is stored by it.
 *
 * @param nights those of the diary; only the last seven days count
 * @param last what was released last; after one that was withdrawn it begins anew
 * @param today the patient's own date; null without a diary
 */
export function outlookOf(
  nights: readonly Night[],
  last: SleepWindow | null,
  today: string | null,
  rules: WindowRules,
): Outlook {
  const previous = last?.isWithdrawn ? null : last;
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
  return { proposal: proposalOf(counted, week, last, rules), waiting: null, ...common };
}

function proposalOf(nights: readonly Night[], range: Range, last: SleepWindow | null, rules: WindowRules): Proposal {
  const previous = last?.isWithdrawn ? null : last;
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
  const rests = JSON.stringify([last?.sequence ?? 0, prescription, nights]);
  return { ...prescription, proposalId: proposalIdOf(rests) };
}

/** A UUID of version 8 (RFC 9562), so that it is an id as others are. */
function proposalIdOf(rests: string): string {
  const hex = createHash('sha256').update(rests).digest('hex');
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
  // A physician's window beyond the bounds stays where it is, or comes nearer to them.
  const isFurther =
    (minutes < rules.leastMinutes && next.minutes < minutes) || (minutes > rules.mostMinutes && next.minutes > minutes);
  if (isFurther) return { minutes, because: ['KEPT_AS_PRESCRIBED'] };
  return bounded(next, Math.min(rules.leastMinutes, minutes), Math.max(rules.mostMinutes, minutes));
}

function stepped(minutes: number, nights: readonly Night[], rules: WindowRules): Decided {
  const asleep = nights.reduce((sum, { totalSleep }) => sum + totalSleep, 0);
  const inBed = nights.reduce((sum, { timeInBed }) => sum + timeInBed, 0);
  // By whole numbers: exactly 90 % is 90 %.
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

/** The median of when somebody got up, the earlier of two; 23:50 and 00:10 are near each other. */
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

/** What a physician prescribes in place of what is proposed. */
export type Changes = { readonly minutes?: number | undefined; readonly risingTime?: string | undefined };

/** The proposal as it is released, with what the physician changed. */
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

/** What a physician prescribes in place of a window that was released: what is left out stays. */
export function correctedPrescription(window: SleepWindow, changes: Changes): Prescription {
  const { minutes, risingTime, ruleVersion, because, week, proposed, proposalId } = window;
  const times = { minutes: changes.minutes ?? minutes, risingTime: changes.risingTime ?? risingTime };
  const asProposed = because.filter((code) => code !== 'SET_BY_PHYSICIAN');
  const proposal = { ...proposed, ruleVersion, because: asProposed, week, proposalId };
  return releasedPrescription({ ...prescribed(proposal), proposalId }, times);
}

/** Whether the release of its proposal with these changes, when it is repeated, asks for what was released. */
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

/** What speaks against restricting somebody's sleep. */
export type Concerns = {
  /** The latest sum of the Epworth Sleepiness Scale; null where there is none. */
  readonly sleepiness: number | null;
  /** Of a questionnaire, which nobody has settled. */
  readonly hasOpenFlag: boolean;
};

export const suspensions = ['SLEEPINESS', 'OPEN_FLAG', 'SCREENING_EXCLUDES'] as const;

export type Suspension = (typeof suspensions)[number];

/** Why no window is to be kept or released for now, by whomever. */
export function suspensionsOf({ sleepiness, hasOpenFlag }: Concerns, { mostSleepiness }: WindowRules): Suspension[] {
  return [
    ...(sleepiness !== null && sleepiness > mostSleepiness ? (['SLEEPINESS'] as const) : []),
    ...(hasOpenFlag ? (['OPEN_FLAG'] as const) : []),
  ];
}

/** A window that rests on a screening is not to be kept once the answers exclude it; a physician can release another. */
export function screeningSuspends(current: SleepWindow | null, screened: Screened | null): Suspension[] {
  return current?.by === 'screening' && screened !== null && excludes(screened) ? ['SCREENING_EXCLUDES'] : [];
}
