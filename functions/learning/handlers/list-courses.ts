import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listCourses } from '../routes.ts';
import { shownSummary } from '../rules/shown-course.ts';
import { readCoursePage } from '../stores/course-rows.ts';
import { readProgressOf } from '../stores/progress-rows.ts';
import { factsAt, readAnswered, readPerson } from '../stores/standing.ts';

export const handler = servePagesInSteps(
  listCourses,
  lambdaWithClock,
)({
  read: async ({ caller, page, tables }) => {
    const client = dynamo();
    const { userId } = caller;
    const reach = { client, tables, userId };
    const withProgress = async () => {
      const after = page.after ? String(page.after.courseId) : null;
      const { courses, next } = await readCoursePage(client, tables.Courses, { limit: page.limit, after });
      const ids = courses.map(({ courseId }) => courseId);
      const [progress, answered] = await Promise.all([
        readProgressOf(client, tables.LearningProgress, userId, ids),
        readAnswered(reach, courses),
      ]);
      return { courses, next, progress, answered };
    };
    const [person, found] = await Promise.all([readPerson(reach), withProgress()]);
    return { ...person, ...found };
  },
  answer: async ({ now }, { courses, next, progress, ...standing }) => ({
    items: courses.map((course) => {
      const known = progress.get(course.courseId) ?? null;
      return shownSummary(course, factsAt(standing, course, known, now));
    }),
    next: next === null ? null : { courseId: next },
  }),
});

await initialize(listCourses);
