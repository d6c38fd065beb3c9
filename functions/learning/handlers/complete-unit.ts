import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { UnitLocked, UnitNotFound } from '../errors.ts';
import { completeUnit } from '../routes.ts';
import { courseOfUnit } from '../rules/course.ts';
import { recordedBy, shownProgress, unitIn } from '../rules/progress.ts';
import { answerProblems, outcomeOf } from '../rules/quiz.ts';
import { unitWithLocks } from '../rules/shown-course.ts';
import { readResult } from '../stores/quiz-results.ts';
import { factsAt, readStanding } from '../stores/standing.ts';
import { changeProgress } from '../workflows/change-progress.ts';

export const handler = serveInSteps(completeUnit)({
  read: ({ params, caller, tables }) =>
    readStanding({ client: dynamo(), tables, userId: caller.userId }, courseOfUnit(params.unitId)),
  answer: async ({ params, body = {}, caller, now, tables, fail }, standing) => {
    if (!standing) return fail(UnitNotFound);
    const { course, progress } = standing;
    const { unitId } = params;
    const client = dynamo();
    const at = recordedBy(now, body.recordedAt);
    const found = unitWithLocks(course, unitId, factsAt(standing, course, progress, at));
    if (!found) return fail(UnitNotFound);
    let unit = unitIn(progress, unitId);
    if (unit?.completedAt == null) {
      if (found.lockedBy.length > 0) return fail(UnitLocked, { lockedBy: found.lockedBy });
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
      const reach = { client, tables, userId: caller.userId };
      unit = await changeProgress(reach, { unitId, change, now, known: progress });
    }
    const result = await readResult(client, tables.Courses, unit);
    return { progress: shownProgress(course.courseId, unit), result };
  },
});

await initialize(completeUnit);
