import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listStudies } from '../routes.ts';
import { studyForStaff } from '../rules/shown.ts';
import { readStudies } from '../stores/studies.ts';

export const handler = servePagesInSteps(
  listStudies,
  lambdaWithClock,
)({
  read: ({ page: { limit, after }, tables }) =>
    readStudies(tables.Studies, { limit, after: after ? String(after.studyId) : null }),
  answer: async (_asked, { studies, next }) => ({
    items: studies.map(studyForStaff),
    next: next === null ? null : { studyId: next },
  }),
});
