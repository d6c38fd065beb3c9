import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import type { CallerPlace } from '../../questionnaires/exports.ts';
import { coursesOfProgrammes } from '../../sleep/rules.ts';
import { type Erased, isErased, type User } from '../../users/rules.ts';
import type { CourseProgress } from '../rules/progress.ts';
import { type Head, headKey } from './course-rows.ts';

/** All that the home screen needs by keys that are known beforehand: three tables in one call. */

type HomeTables = { readonly Users: string; readonly LearningProgress: string; readonly Courses: string };

export type HomeRows = {
  readonly user: User | Erased | null;
  readonly place: CallerPlace;
  readonly progress: ReadonlyMap<string, CourseProgress>;
  readonly heads: readonly Head[];
};

type Keys = Record<string, { Keys: Record<string, string>[]; ConsistentRead: boolean }>;

/** DynamoDB may leave some keys for another call. */
const attempts = 3;

export async function readHomeRows(
  client: DynamoDBDocumentClient,
  tables: HomeTables,
  userId: string,
): Promise<HomeRows> {
  const keysOf = (Keys: Record<string, string>[]) => ({ Keys, ConsistentRead: true });
  let left: Keys = {
    [tables.Users]: keysOf([{ userId }]),
    [tables.LearningProgress]: keysOf(coursesOfProgrammes.map((courseId) => ({ userId, courseId }))),
    [tables.Courses]: keysOf(coursesOfProgrammes.map(headKey)),
  };
  const rows = new Map<string, unknown[]>();
  for (let attempt = 0; attempt < attempts && Object.keys(left).length > 0; attempt += 1) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(new BatchGetCommand({ RequestItems: left }));
    for (const [table, found] of Object.entries(Responses)) rows.set(table, [...(rows.get(table) ?? []), ...found]);
    left = UnprocessedKeys as Keys;
  }
  if (Object.keys(left).length > 0) throw new Failure(Unavailable);
  const [user] = (rows.get(tables.Users) ?? []) as (User | Erased)[];
  const known = user && !isErased(user) ? user : { locale: null, timezone: null };
  const progress = (rows.get(tables.LearningProgress) ?? []) as CourseProgress[];
  return {
    user: user ?? null,
    place: { locale: known.locale, timezone: known.timezone },
    progress: new Map(progress.map((row) => [row.courseId, row])),
    heads: (rows.get(tables.Courses) ?? []) as Head[],
  };
}
