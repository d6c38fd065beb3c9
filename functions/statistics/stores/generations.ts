import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { generationsKey } from '../rules/statistics-keys.ts';

/** Which generation is read, and which one a rebuild counts into beside it. */
export type Generations = { current: number; counting: number | null };

const first: Generations = { current: 1, counting: null };

export async function readGenerations(client: DynamoDBDocumentClient, table: string): Promise<Generations> {
  const found = await client.send(new GetCommand({ TableName: table, Key: generationsKey, ConsistentRead: true }));
  return (found.Item as Generations | undefined) ?? first;
}

/** @returns the generation to count into; of an interrupted rebuild, that one's */
export async function beginGeneration(client: DynamoDBDocumentClient, table: string): Promise<number> {
  const { current, counting } = await readGenerations(client, table);
  if (counting !== null) return counting;
  await put(client, table, { current, counting: current + 1 }, { current, counting: null });
  return beginGeneration(client, table);
}

/** From now on `generation` is read. Where it is read already, nothing changes. */
export async function finishGeneration(
  client: DynamoDBDocumentClient,
  table: string,
  generation: number,
): Promise<void> {
  const { current, counting } = await readGenerations(client, table);
  if (counting !== generation) return;
  await put(client, table, { current: generation, counting: null }, { current, counting });
}

/** Nothing where another rebuild was there first: what it wrote is read next. */
async function put(client: DynamoDBDocumentClient, table: string, next: Generations, read: Generations) {
  const moved = new PutCommand({
    TableName: table,
    Item: { ...generationsKey, ...next },
    ConditionExpression: 'attribute_not_exists(agreementId) OR (#current = :current AND counting = :counting)',
    ExpressionAttributeNames: { '#current': 'current' },
    ExpressionAttributeValues: { ':current': read.current, ':counting': read.counting },
  });
  await succeedsUnlessConflict(client.send(moved));
}
