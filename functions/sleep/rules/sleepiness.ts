import type { SleepWindow } from './window.ts';
import type { WindowRules } from './window-rules.ts';

/**
 * Signs of sleepiness, and when a suspension by one of them ends. A sign is a version of an answer to the scale that is
 * above the limit (the original or a correction), or a night of the diary with `noddedOff`. Pure.
 */

export type Sleepiness = {
  /** When the scale was last answered. A correction is no new answer. */
  readonly measuredAt: string | null;
  /** The latest sign. */
  readonly sleepyAt: string | null;
};

/** One version of an answer to the scale. */
export type Answered = {
  readonly completedAt: string;
  readonly isCorrection: boolean;
  readonly value: number | null;
};

const dayMs = 86_400_000;

/** A request is over within this time. So a decision knew each sign that had come so long before it. */
const decisionMs = 600_000;

const before = (instant: string, ms: number) => new Date(Date.parse(instant) - ms).toISOString();

/** @param versions newest first @param noddedOffAt when the diary last said so */
export function sleepinessOf(
  versions: readonly Answered[],
  noddedOffAt: string | null,
  { sleepiness }: WindowRules,
): Sleepiness {
  const measured = versions.find(({ isCorrection, value }) => !isCorrection && value !== null);
  const sleepy = versions.find(({ value }) => value !== null && value > sleepiness.most);
  return {
    measuredAt: measured?.completedAt ?? null,
    sleepyAt: latestOf(sleepy?.completedAt ?? null, noddedOffAt),
  };
}

export function latestOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/**
 * Whether these versions, newest first, say all: older ones were known when the last window was decided about, and are
 * long before the latest answer.
 */
export function saysAll(
  versions: readonly Answered[],
  last: Pick<SleepWindow, 'releasedAt'> | null,
  { sleepiness }: WindowRules,
): boolean {
  const measured = versions.find(({ isCorrection, value }) => !isCorrection && value !== null);
  const oldest = versions.at(-1);
  if (!measured || !oldest) return false;
  if (versions.some(({ value }) => value !== null && value > sleepiness.most)) return true;
  const isCalmed = oldest.completedAt < before(measured.completedAt, sleepiness.calmDays * dayMs);
  return isCalmed && (last === null || oldest.completedAt < before(last.releasedAt, decisionMs));
}

/** Whether a sign suspends a window: its decision did not know the sign, even if the two came at the same time. */
export function isPausedBy(
  { sleepyAt: known, releasedAt }: Pick<SleepWindow, 'sleepyAt' | 'releasedAt'>,
  sleepyAt: string | null,
): boolean {
  return sleepyAt !== null && sleepyAt > (known ?? '') && sleepyAt > before(releasedAt, decisionMs);
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
