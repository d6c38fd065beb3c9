import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { UnitLocked, UnitNotFound } from '../errors.ts';
import { completeUnit } from '../routes.ts';
import { completionOf } from '../rules/completion.ts';
import { courseOfUnit } from '../rules/course.ts';
import { recordedBy, shownProgress, unitIn } from '../rules/progress.ts';
import { outcomeOfAnswers } from '../rules/quiz.ts';
import { unitWithLocks } from '../rules/shown-course.ts';
import { readResult } from '../stores/quiz-results.ts';
import { factsAt, inVersion, readStanding } from '../stores/standing.ts';
import { changeProgress } from '../workflows/change-progress.ts';

export const handler = serveWithPrefetch(completeUnit)({
  prefetch: ({ params, caller, tables }) =>
    readStanding({ tables, userId: caller.userId }, courseOfUnit(params.unitId)),
  respond: async ({ params, body = {}, caller, now, tables, fail }, current) => {
    if (!current) return fail(UnitNotFound);
    const { unitId } = params;
    const deps = { tables, userId: caller.userId };
    const standing = await inVersion(deps, current, body.version ?? current.course.version);
    if (!standing) {
      const message = 'is no version of this course';
      return fail(ValidationFailed, { issues: [{ in: 'body', code: 'inconsistent', path: 'version', message }] });
    }
    const { course, progress } = standing;
    const at = recordedBy(now, body.recordedAt);
    const found = unitWithLocks(course, unitId, factsAt(standing, course, progress, at));
    if (!found) return fail(UnitNotFound);
    const reported = { at: at.toISOString(), answers: body.answers, version: course.version };
    const decided = completionOf(found, unitIn(progress, unitId), reported);
    if ('lockedBy' in decided) return fail(UnitLocked, { lockedBy: decided.lockedBy });
    if ('problems' in decided) {
      const issues = decided.problems.map((problem) => ({ in: 'body', code: 'inconsistent', ...problem }) as const);
      return fail(ValidationFailed, { issues });
    }
    const unit =
      'unit' in decided
        ? decided.unit
        : await changeProgress(deps, { unitId, change: decided.change, now, known: progress });
    const result = await readResult(tables.Courses, unit);
    const outcome = outcomeOfAnswers(unit.quiz, body.answers);
    return { progress: shownProgress(course.courseId, unit), result, outcome };
  },
});
