import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listCourses } from '../routes.ts';
import { shownSummary } from '../rules/shown-course.ts';
import { readCoursePage } from '../stores/course-rows.ts';
import { readAllProgress } from '../stores/progress-rows.ts';
import { factsAt, readAnswered, readPerson } from '../stores/standing.ts';

export const handler = serveWithPrefetch(listCourses)({
  prefetch: async ({ caller, page, tables }) => {
    const { userId } = caller;
    const deps = { tables, userId };
    const withAnswers = async () => {
      const { courses, next } = await readCoursePage(tables.Courses, page);
      return { courses, next, answered: await readAnswered(deps, courses) };
    };
    const [person, found, progress] = await Promise.all([
      readPerson(deps),
      withAnswers(),
      readAllProgress(tables.LearningProgress, userId),
    ]);
    return { ...person, ...found, progress };
  },
  respond: async ({ now }, { courses, next, progress, ...standing }) => ({
    items: courses.map((course) => {
      const known = progress.get(course.courseId) ?? null;
      return shownSummary(course, factsAt(standing, course, known, now));
    }),
    next,
  }),
});
