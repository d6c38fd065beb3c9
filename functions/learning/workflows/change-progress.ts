import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { courseOfUnit } from '../rules/course.ts';
import { type Change, type CourseProgress, merged, type UnitProgress, unitIn, withUnit } from '../rules/progress.ts';
import { readProgress, replaceProgress } from '../stores/progress-rows.ts';
import type { TablesOfUser } from '../stores/standing.ts';
import type { LearningProgress } from '../tables.ts';

/**
 * Merges what a phone reports into the user's row, and tries again as long as another phone is first.
 *
 * @param known the row as the request read it
 * @returns the unit as it is then
 */
export async function changeProgress(
  { tables, userId }: TablesOfUser<{ readonly LearningProgress: LearningProgress<'get' | 'put'> }>,
  { unitId, change, now, known }: { unitId: string; change: Change; now: Date; known: CourseProgress | null },
): Promise<UnitProgress> {
  const courseId = courseOfUnit(unitId);
  return retryOnContention(async (attempt) => {
    const read = attempt === 0 ? known : await readProgress(tables.LearningProgress, { userId, courseId });
    const unit = merged(unitIn(read, unitId), unitId, change, now);
    const row = withUnit(read, courseId, unit, now);
    if (!row) return unit;
    const isWritten = await replaceProgress(tables.LearningProgress, userId, { row, read });
    return isWritten ? unit : contended;
  });
}
