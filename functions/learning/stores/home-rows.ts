import { batchGetFrom } from '../../../lib/runtime/batch-get.ts';
import type { LocaleAndZone } from '../../questionnaires/rules.ts';
import { coursesOfProgrammes } from '../../sleep/rules.ts';
import { type Erased, isErased, type User } from '../../users/rules.ts';
import type { Users } from '../../users/tables.ts';
import type { Head } from '../rules/course.ts';
import type { CourseProgress } from '../rules/progress.ts';
import type { Courses, LearningProgress } from '../tables.ts';
import { headKey } from './course-rows.ts';

/** All that the home screen needs by keys that are known beforehand: three tables in one call. */

export type HomeTables = {
  readonly Users: Users<'batchGet'>;
  readonly LearningProgress: LearningProgress<'batchGet'>;
  readonly Courses: Courses<'batchGet'>;
};

export type HomeRows = {
  readonly user: User | Erased | null;
  readonly localeAndZone: LocaleAndZone;
  readonly progress: ReadonlyMap<string, CourseProgress>;
  readonly heads: readonly Head[];
};

export async function readHomeRows(tables: HomeTables, userId: string): Promise<HomeRows> {
  const [[user = null], progress, heads] = await batchGetFrom<[User | Erased, CourseProgress, Head]>([
    [tables.Users, [{ userId }]],
    [tables.LearningProgress, coursesOfProgrammes.map((courseId) => ({ userId, courseId }))],
    [tables.Courses, coursesOfProgrammes.map(headKey)],
  ]);
  const known = user && !isErased(user) ? user : { locale: null, timezone: null };
  return {
    user,
    localeAndZone: { locale: known.locale, timezone: known.timezone },
    progress: new Map(progress.map((row) => [row.courseId, row])),
    heads,
  };
}
