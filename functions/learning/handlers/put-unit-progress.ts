import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { UnitLocked, UnitNotFound } from '../errors.ts';
import { putUnitProgress } from '../routes.ts';
import { courseOfUnit } from '../rules/course.ts';
import { outcomeOfMove, recordedBy, shownProgress, unitIn } from '../rules/progress.ts';
import { unitWithLocks } from '../rules/shown-course.ts';
import { factsAt, readStanding } from '../stores/standing.ts';
import { changeProgress } from '../workflows/change-progress.ts';

export const handler = serveWithPrefetch(putUnitProgress)({
  prefetch: ({ params, caller, tables }) =>
    readStanding({ tables, userId: caller.userId }, courseOfUnit(params.unitId)),
  respond: async ({ params, body, caller, now, tables, fail }, standing) => {
    if (!standing) return fail(UnitNotFound);
    const { course, progress } = standing;
    const { unitId } = params;
    const facts = factsAt(standing, course, progress, recordedBy(now, body.recordedAt));
    const found = unitWithLocks(course, unitId, facts);
    if (!found) return fail(UnitNotFound);
    // What was completed may be looked at and moved in again, whatever ended since.
    const isCompleted = unitIn(progress, unitId)?.completedAt != null;
    if (!isCompleted && found.lockedBy.length > 0) return fail(UnitLocked, { lockedBy: found.lockedBy });
    const { position, percent } = body;
    const change = { kind: 'progress', position, percent } as const;
    const deps = { tables, userId: caller.userId };
    const unit = await changeProgress(deps, { unitId, change, now, known: progress });
    return { ...shownProgress(course.courseId, unit), outcome: outcomeOfMove(unit, body) };
  },
});
