import { skewMs } from '../../../lib/contract/instant.ts';
import type { SleepWindow } from './window.ts';

/**
 * Signs: answers that speak against a window. A sign is known by the time at which it arrived, because a decision can only
 * know what has arrived. An answer that speaks for a window is as old as the time at which the patient wrote it. Pure.
 */

/** One version of an answer: the original, or a correction of it. */
export type Answered = {
  /** When it arrived. */
  readonly completedAt: string;
  /** When the patient wrote it: never later than it arrived. */
  readonly writtenAt: string;
  readonly isCorrection: boolean;
  readonly value: number | null;
};

/** How the versions of one questionnaire are read. */
export type Reading = {
  /** Whether it is an answer at all. */
  readonly counts: (value: number | null) => boolean;
  readonly isSign: (value: number | null) => boolean;
  /** Signs matter that came so long before the latest answer. */
  readonly backMs: number;
};

/** A request is over within this time. So a decision knew each sign that had come so long before it. */
const decisionMs = 600_000;

const before = (instant: string, ms: number) => new Date(Date.parse(instant) - ms).toISOString();

/** The answer that the patient wrote last, whenever it arrived. A correction is no new answer. @param versions newest first */
export function latestAnswer<A extends Answered>(
  versions: readonly A[],
  { counts }: Pick<Reading, 'counts'>,
): A | null {
  return versions
    .filter(({ isCorrection, value }) => !isCorrection && counts(value))
    .reduce<A | null>((latest, each) => (latest && latest.writtenAt >= each.writtenAt ? latest : each), null);
}

/** When the latest sign arrived. Each version counts. @param versions newest first */
export function latestSign(versions: readonly Answered[], { isSign }: Pick<Reading, 'isSign'>): string | null {
  return versions.find(({ value }) => isSign(value))?.completedAt ?? null;
}

export function latestOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/**
 * Whether these versions, newest first, say all: those that arrived earlier were written before the latest answer, and were
 * known when the last window was decided about.
 */
export function saysAll(
  versions: readonly Answered[],
  last: Pick<SleepWindow, 'releasedAt'> | null,
  reading: Reading,
): boolean {
  const answer = latestAnswer(versions, reading);
  const oldest = versions.at(-1);
  if (!answer || !oldest || oldest.completedAt > answer.writtenAt) return false;
  if (latestSign(versions, reading) !== null) return true;
  const isBack = oldest.completedAt <= before(answer.writtenAt, reading.backMs);
  return isBack && (last === null || oldest.completedAt < before(last.releasedAt, decisionMs));
}

/** No decision knows a sign that comes after it: a row that says so was planted, and would silence all signs that follow. */
export function knownAt(known: string | null, releasedAt: string): string | null {
  return known !== null && known > before(releasedAt, -skewMs) ? null : known;
}

/** Whether a decision did not know a sign, even if the two came at the same time. @param known the latest sign that it knew */
export function isNewSign(at: string | null, known: string | null, { releasedAt }: Pick<SleepWindow, 'releasedAt'>) {
  return at !== null && at > (knownAt(known, releasedAt) ?? '') && at > before(releasedAt, decisionMs);
}
