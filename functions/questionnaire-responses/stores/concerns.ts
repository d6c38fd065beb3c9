import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
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

/** How many of a user's flags nobody has acknowledged, however many there were before. */
export async function countOpenFlags(client: DynamoDBDocumentClient, table: string, userId: string): Promise<number> {
  const found = await queryAll<{ name: string }>(client, {
    TableName: table,
    KeyConditionExpression: 'part = :user',
    ExpressionAttributeValues: { ':user': `user#${userId}` },
  });
  let open = 0;
  for (let from = 0; from < found.length; from += 100) {
    const keys = found.slice(from, from + 100).map(({ name }) => ({ part: `flag#${name}`, name: 'flag' }));
    const flags = await batchGet<Flag>(client, table, keys);
    open += flags.filter(({ acknowledgedAt }) => acknowledgedAt === null).length;
  }
  return open;
}
