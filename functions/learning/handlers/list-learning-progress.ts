import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listLearningProgress } from '../routes.ts';
import { shownProgress } from '../rules/progress.ts';
import { readProgressPage } from '../stores/progress-rows.ts';

export const handler = servePagesInSteps(
  listLearningProgress,
  lambdaWithClock,
)({
  read: ({ caller, page, tables }) => {
    const after = page.after ? String(page.after.courseId) : null;
    return readProgressPage(tables.LearningProgress, caller.userId, { limit: page.limit, after });
  },
  answer: async (_input, { found, next }) => ({
    items: found.map(({ courseId, units, updatedAt }) => ({
      courseId,
      units: Object.values(units).map((unit) => shownProgress(courseId, unit)),
      updatedAt,
    })),
    next: next === null ? null : { courseId: next },
  }),
});
