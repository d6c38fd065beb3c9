import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listCourses } from '../routes.ts';
import { shownSummary } from '../rules/shown-course.ts';
import { readCoursePage } from '../stores/course-rows.ts';
import { readAllProgress } from '../stores/progress-rows.ts';
import { factsAt, readAnswered, readPerson } from '../stores/standing.ts';

export const handler = servePagesInSteps(
  listCourses,
  lambdaWithClock,
)({
  read: async ({ caller, page, tables }) => {
    const { userId } = caller;
    const deps = { tables, userId };
    const withAnswers = async () => {
      const after = page.after ? String(page.after.courseId) : null;
      const { courses, next } = await readCoursePage(tables.Courses, { limit: page.limit, after });
      return { courses, next, answered: await readAnswered(deps, courses) };
    };
    const [person, found, progress] = await Promise.all([
      readPerson(deps),
      withAnswers(),
      readAllProgress(tables.LearningProgress, userId),
    ]);
    return { ...person, ...found, progress };
  },
  answer: async ({ now }, { courses, next, progress, ...standing }) => ({
    items: courses.map((course) => {
      const known = progress.get(course.courseId) ?? null;
      return shownSummary(course, factsAt(standing, course, known, now));
    }),
    next: next === null ? null : { courseId: next },
  }),
});
