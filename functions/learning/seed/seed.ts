import { fileURLToPath } from 'node:url';
import { readCourseFolder } from '../jobs/course-folder.ts';
import { type PublishDependencies, publishCourse } from '../jobs/publish-course.ts';

/** Fixed, so that every start of the local stage has the same past. */
const seededAt = '2026-01-01T00:00:00.000Z';

/** The course of our own words. What is there already stays as it is. */
export async function seedCourses(deps: PublishDependencies): Promise<void> {
  const { course, faults } = await readCourseFolder(fileURLToPath(new URL('sleep-basics', import.meta.url)));
  if (!course) throw new Error(faults.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
  const realNow = new Date(seededAt);
  await publishCourse(deps, course, { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow });
}
