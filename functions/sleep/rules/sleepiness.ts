import { isTime, isToCome } from '../../../lib/contract/instant.ts';
import { type Answered, isNewSign, latestAnswer, latestOf, latestSign, type Reading } from './signs.ts';
import type { SleepWindow } from './window.ts';
import type { WindowRules } from './window-rules.ts';

/**
 * Signs of sleepiness, and when a suspension by one of them ends. A sign is a version of an answer to the scale that is
 * above the limit (the original or a correction), or a night of the diary with `noddedOff`. Pure.
 */

export type Sleepiness = {
  /** When the patient wrote the latest answer to the scale. A correction is no new answer. */
  readonly measuredAt: string | null;
  /** When the latest sign arrived. */
  readonly sleepyAt: string | null;
};

/** A night of the diary with `noddedOff`. */
export type SignRow = {
  readonly userId: string;
  /** `<noddedOffAt>#<date>` */
  readonly sign: string;
  readonly date: string;
  readonly noddedOffAt: string;
  /** The same if the same write is repeated. */
  readonly fingerprint: string;
};

const dayMs = 86_400_000;

export function sleepinessReading({ sleepiness }: WindowRules): Reading {
  return {
    counts: (value) => value !== null,
    isSign: (value) => value !== null && value > sleepiness.most,
    backMs: sleepiness.calmDays * dayMs,
  };
}

/** @param versions newest first @param noddedOffAt when the diary last said so */
export function sleepinessOf(
  versions: readonly Answered[],
  noddedOffAt: string | null,
  rules: WindowRules,
): Sleepiness {
  const reading = sleepinessReading(rules);
  return {
    measuredAt: latestAnswer(versions, reading)?.writtenAt ?? null,
    sleepyAt: latestOf(latestSign(versions, reading), noddedOffAt),
  };
}

/**
 * A sign that is no time as we write it, or of a time to come, was planted: as a text it may stand behind genuine ones that are later.
 * It counts as one of the present hour, so it pauses each hour anew until somebody removes it, and no decision knows the signs that
 * follow. An hour is long enough to decide in.
 */
export function believedSign(sleepyAt: string | null, now: Date): string | null {
  if (sleepyAt === null || (isTime(sleepyAt) && !isToCome(sleepyAt, now))) return sleepyAt;
  return new Date(now.getTime() - (now.getTime() % 3_600_000)).toISOString();
}

/** Whether a sign suspends a window: its decision did not know the sign. */
export function isPausedBy(window: Pick<SleepWindow, 'sleepyAt' | 'releasedAt'>, sleepyAt: string | null): boolean {
  return isNewSign(sleepyAt, window.sleepyAt, window);
}

/** Whether somebody has answered long enough after the latest sign. That answer is not above the limit, or it would be the sign. */
export function isCalm({ measuredAt, sleepyAt }: Sleepiness, { sleepiness }: WindowRules): boolean {
  if (sleepyAt === null) return true;
  return measuredAt !== null && Date.parse(measuredAt) - Date.parse(sleepyAt) >= sleepiness.calmDays * dayMs;
}

/** Whether an answer that is given now would be long enough after the latest sign. */
export function canCalm({ sleepyAt }: Pick<Sleepiness, 'sleepyAt'>, rules: WindowRules, now: Date): boolean {
  return isCalm({ measuredAt: now.toISOString(), sleepyAt }, rules);
}
