import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { commit } from '../../../lib/runtime/commit.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { CourseProgress } from '../rules/progress.ts';

/** Table `LearningProgress`. Every read is strongly consistent. */

export async function readProgress(
  client: DynamoDBDocumentClient,
  table: string,
  Key: { userId: string; courseId: string },
): Promise<CourseProgress | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as CourseProgress | undefined) ?? null;
}

/** All of a user's, by course: a row for each course that was begun, which need not be known beforehand. */
export async function readAllProgress(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<Map<string, CourseProgress>> {
  const rows = await queryAll<CourseProgress>(client, {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  });
  return new Map(rows.map((row) => [row.courseId, row]));
}

/** A page, by course. */
export async function readProgressPage(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: CourseProgress[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ...(after !== null && { ExclusiveStartKey: { userId, courseId: after } }),
  };
  const { rows, hasMore } = await queryPage<CourseProgress>(client, query, limit);
  return { found: rows, next: hasMore ? (rows.at(-1)?.courseId ?? null) : null };
}

/**
 * In a transaction, since nothing is written for a user whose account is closed: the client adds that condition.
 *
 * @param read the row that the decision was made on
 * @returns false where another phone was first
 */
export async function replaceProgress(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { row, read }: { row: CourseProgress; read: CourseProgress | null },
): Promise<boolean> {
  const condition = read
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': read.revision } }
    : { ConditionExpression: 'attribute_not_exists(userId)' };
  return commit(client, [{ Put: { TableName: table, Item: { userId, ...row }, ...condition } }]);
}
