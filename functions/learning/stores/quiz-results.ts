import { courseOfUnit, findUnit } from '../rules/course.ts';
import type { UnitProgress } from '../rules/progress.ts';
import { resultOf } from '../rules/quiz.ts';
import type { Courses } from '../tables.ts';
import { readVersion } from './course-rows.ts';

/** A completed quiz's result by the version that was answered, whichever is current now; null where there is none. */
export async function readResult(
  table: Courses<'get'>,
  progress: UnitProgress | null,
): Promise<ReturnType<typeof resultOf> | null> {
  if (!progress?.quiz) return null;
  const { unitId, quiz } = progress;
  const course = await readVersion(table, { courseId: courseOfUnit(unitId), version: quiz.version });
  const found = course && findUnit(course, unitId);
  return found ? resultOf(found.unit.questions, quiz) : null;
}
