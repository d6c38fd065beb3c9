import { commit } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import type { CourseProgress } from '../rules/progress.ts';
import type { LearningProgress } from '../tables.ts';

/** Table `LearningProgress`. Every read is strongly consistent. */

export async function readProgress(
  table: LearningProgress<'get'>,
  key: { userId: string; courseId: string },
): Promise<CourseProgress | null> {
  return get(table, key);
}

/** All of a user's, by course: a row for each course that was begun, which need not be known beforehand. */
export async function readAllProgress(
  table: LearningProgress<'query'>,
  userId: string,
): Promise<Map<string, CourseProgress>> {
  const rows = await queryAll(table, inPartition({ userId }));
  return new Map(rows.map((row) => [row.courseId, row]));
}

/** A page, by course. */
export async function readProgressPage(
  table: LearningProgress<'query'>,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: CourseProgress[]; next: string | null }> {
  const query = inPartition({ userId }, { courseId: all }, after);
  const { rows, next } = await queryPage(table, query, limit);
  return { found: rows, next };
}

/**
 * In a transaction, since nothing is written for a user whose account is closed: the client adds that condition.
 *
 * @param read the row that the decision was made on
 * @returns false where another phone was first
 */
export async function replaceProgress(
  table: LearningProgress<'put'>,
  userId: string,
  { row, read }: { row: CourseProgress; read: CourseProgress | null },
): Promise<boolean> {
  return commit([put(table, { userId, ...row }, ifRevision('userId', read?.revision))]);
}
