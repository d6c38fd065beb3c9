import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listLearningProgress } from '../routes.ts';
import { shownProgress } from '../rules/progress.ts';
import { readProgressPage } from '../stores/progress-rows.ts';

export const handler = serveWithPrefetch(listLearningProgress)({
  prefetch: ({ caller, page, tables }) => {
    return readProgressPage(tables.LearningProgress, caller.userId, page);
  },
  respond: async (_input, { found, next }) => ({
    items: found.map(({ courseId, units, updatedAt }) => ({
      courseId,
      units: Object.values(units).map((unit) => shownProgress(courseId, unit)),
      updatedAt,
    })),
    next,
  }),
});
