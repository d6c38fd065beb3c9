import { revisionOf } from '../../../lib/contract/revision.ts';
/** How far a user is in a unit, merged from phones that come in any order. Pure. */

export type QuizOutcome = {
  /** Of the course, by which the result is explained. */
  readonly version: string;
  readonly answers: readonly { readonly questionId: string; readonly values: readonly string[] }[];
  readonly score: number;
  readonly maxScore: number;
};

export type UnitProgress = {
  readonly unitId: string;
  readonly position: number;
  readonly percent: number;
  readonly completedAt: string | null;
  readonly quiz: QuizOutcome | null;
  readonly updatedAt: string;
};

/** A user's row of a course. */
export type CourseProgress = {
  readonly courseId: string;
  readonly units: Readonly<Record<string, UnitProgress>>;
  readonly updatedAt: string;
  /** Counts the writes, from 1. */
  readonly revision: number;
};

/** What a phone says of a unit; of a completion it is all there is. */
export type Change =
  | { readonly kind: 'progress'; readonly position: number; readonly percent: number }
  | { readonly kind: 'completion'; readonly at: string; readonly quiz: QuizOutcome | null };

/**
 * The greater of both. A completion is once: the answers that arrive first stay, and its time is the earliest that any phone
 * recorded.
 *
 * @returns the same object where nothing changes
 */
export function merged(current: UnitProgress | null, unitId: string, change: Change, now: Date): UnitProgress {
  const before = current ?? { unitId, position: 0, percent: 0, completedAt: null, quiz: null, updatedAt: '' };
  const after = change.kind === 'progress' ? moved(before, change) : completed(before, change);
  return current && after === before ? current : { ...after, updatedAt: now.toISOString() };
}

function moved(before: UnitProgress, { position, percent }: { position: number; percent: number }): UnitProgress {
  if (position <= before.position && percent <= before.percent) return before;
  return {
    ...before,
    position: Math.max(before.position, position),
    percent: Math.max(before.percent, percent),
  };
}

function completed(before: UnitProgress, { at, quiz }: { at: string; quiz: QuizOutcome | null }): UnitProgress {
  if (before.completedAt === null) return { ...before, percent: 100, completedAt: at, quiz };
  return at < before.completedAt ? { ...before, completedAt: at } : before;
}

/** @returns null where nothing changes */
export function withUnit(
  row: CourseProgress | null,
  courseId: string,
  unit: UnitProgress,
  now: Date,
): CourseProgress | null {
  if (row?.units[unit.unitId] === unit) return null;
  return {
    ...row,
    courseId,
    units: { ...row?.units, [unit.unitId]: unit },
    updatedAt: now.toISOString(),
    revision: revisionOf(row?.revision) + 1,
  };
}

export function unitIn(row: CourseProgress | null, unitId: string): UnitProgress | null {
  return row && Object.hasOwn(row.units, unitId) ? (row.units[unitId] ?? null) : null;
}

export function completedIn(row: CourseProgress | null): Set<string> {
  const units = Object.values(row?.units ?? {});
  return new Set(units.filter(({ completedAt }) => completedAt !== null).map(({ unitId }) => unitId));
}

/** When a phone says that something was, which is not later than its arrival. */
export function recordedBy(now: Date, recordedAt: string | undefined): Date {
  return recordedAt !== undefined && recordedAt < now.toISOString() ? new Date(recordedAt) : now;
}

/** `superseded` if a greater position or percent is stored. */
export function outcomeOfMove(stored: UnitProgress, sent: { position: number; percent: number }) {
  return sent.position < stored.position || sent.percent < stored.percent ? 'superseded' : 'stored';
}

export function shownProgress(courseId: string, { quiz, ...unit }: UnitProgress) {
  return { ...unit, courseId, quiz: quiz && { score: quiz.score, maxScore: quiz.maxScore } };
}
