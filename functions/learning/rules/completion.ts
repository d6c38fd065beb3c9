import type { Unit } from './course.ts';
import type { Change, UnitProgress } from './progress.ts';
import { type AnswerProblem, type Answers, answerProblems, outcomeOf } from './quiz.ts';

type Decided<Lock> =
  | { readonly lockedBy: Lock[] }
  | { readonly problems: readonly AnswerProblem[] }
  /** It was completed at that time or before. */
  | { readonly unit: UnitProgress }
  | { readonly change: Change };

/**
 * What a phone's report of a completed unit changes. Pure.
 *
 * @param found the unit, and what it still waits for
 * @param at when the phone recorded it
 */
export function completionOf<Lock>(
  { unit, lockedBy }: { readonly unit: Unit; readonly lockedBy: Lock[] },
  before: UnitProgress | null,
  { at, answers = [], version }: { at: string; answers: Answers | undefined; version: string },
): Decided<Lock> {
  if (before?.completedAt != null) {
    // The phone that was first comes second: its answers are too late, and its time is not.
    const isEarlier = at < before.completedAt && lockedBy.length === 0;
    return isEarlier ? { change: { kind: 'completion', at, quiz: before.quiz } } : { unit: before };
  }
  if (lockedBy.length > 0) return { lockedBy };
  if (unit.type !== 'quiz') return { change: { kind: 'completion', at, quiz: null } };
  const problems = answerProblems(unit.questions, answers);
  if (problems.length > 0) return { problems };
  return { change: { kind: 'completion', at, quiz: outcomeOf(unit.questions, answers, version) } };
}
