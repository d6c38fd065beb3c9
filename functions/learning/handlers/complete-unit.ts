import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { UnitLocked, UnitNotFound } from '../errors.ts';
import { completeUnit } from '../routes.ts';
import { courseOfUnit } from '../rules/course.ts';
import { recordedBy, shownProgress, unitIn } from '../rules/progress.ts';
import { answerProblems, outcomeOf, outcomeOfAnswers } from '../rules/quiz.ts';
import { unitWithLocks } from '../rules/shown-course.ts';
import { readResult } from '../stores/quiz-results.ts';
import { factsAt, inVersion, readStanding } from '../stores/standing.ts';
import { changeProgress } from '../workflows/change-progress.ts';

export const handler = serveInSteps(completeUnit)({
  read: ({ params, caller, tables }) =>
    readStanding({ client: dynamo(), tables, userId: caller.userId }, courseOfUnit(params.unitId)),
  answer: async ({ params, body = {}, caller, now, tables, fail }, current) => {
    if (!current) return fail(UnitNotFound);
    const { unitId } = params;
    const client = dynamo();
    const reach = { client, tables, userId: caller.userId };
    const standing = await inVersion(reach, current, body.version ?? current.course.version);
    if (!standing) {
      const message = 'is no version of this course';
      return fail(ValidationFailed, { issues: [{ in: 'body', code: 'inconsistent', path: 'version', message }] });
    }
    const { course, progress } = standing;
    const at = recordedBy(now, body.recordedAt);
    const found = unitWithLocks(course, unitId, factsAt(standing, course, progress, at));
    if (!found) return fail(UnitNotFound);
    const { lockedBy } = found;
    let unit = unitIn(progress, unitId);
    if (unit?.completedAt == null) {
      if (lockedBy.length > 0) return fail(UnitLocked, { lockedBy });
      const { type, questions } = found.unit;
      const answers = type === 'quiz' ? (body.answers ?? []) : [];
      const problems = answerProblems(questions, answers);
      if (problems.length > 0) {
        return fail(ValidationFailed, {
          issues: problems.map((problem) => ({ in: 'body', code: 'inconsistent', ...problem })),
        });
      }
      const quiz = type === 'quiz' ? outcomeOf(questions, answers, course.version) : null;
      const change = { kind: 'completion', at: at.toISOString(), quiz } as const;
      unit = await changeProgress(reach, { unitId, change, now, known: progress });
    } else if (at.toISOString() < unit.completedAt && lockedBy.length === 0) {
      // The phone that was first comes second: its answers are too late, and its time is not.
      const change = { kind: 'completion', at: at.toISOString(), quiz: unit.quiz } as const;
      unit = await changeProgress(reach, { unitId, change, now, known: progress });
    }
    const result = await readResult(client, tables.Courses, unit);
    const outcome = outcomeOfAnswers(unit.quiz, body.answers);
    return { progress: shownProgress(course.courseId, unit), result, outcome };
  },
});
