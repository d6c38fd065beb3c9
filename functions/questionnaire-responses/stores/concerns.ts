import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import type { Flag } from '../rules/flag.ts';
import { readCompleted } from './response-rows.ts';

/** What other domains ask of a patient's responses. Every read is strongly consistent. */

/** A score of the response that was completed last; null where there is none, or it has no such score. */
export async function readLatestScore(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId, scoreId }: { userId: string; questionnaireId: string; scoreId: string },
): Promise<number | null> {
  const { found } = await readCompleted(client, table, userId, { questionnaireId }, { limit: 1, after: null });
  return found[0]?.scores?.find((score) => score.scoreId === scoreId)?.value ?? null;
}

/** How many of a user's flags nobody has acknowledged, of the hundred at most that one Query and one batch look at. */
export async function countOpenFlags(client: DynamoDBDocumentClient, table: string, userId: string): Promise<number> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'part = :user',
      ExpressionAttributeValues: { ':user': `user#${userId}` },
      Limit: 100,
    }),
  );
  const keys = Items.map(({ name }) => ({ part: `flag#${String(name)}`, name: 'flag' }));
  const flags = keys.length === 0 ? [] : await batchGet<Flag>(client, table, keys);
  return flags.filter(({ acknowledgedAt }) => acknowledgedAt === null).length;
}
