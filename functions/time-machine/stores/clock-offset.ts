import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clockKey } from '../../../lib/runtime/clock.ts';
import { unlessConflict } from '../../../lib/runtime/commit.ts';
import { isRefused } from '../../../lib/runtime/failure.ts';

/** Table `Clock`: one row, which every function reads (lib/runtime/clock.ts). */

export { readOffset } from '../../../lib/runtime/clock.ts';

export async function writeOffset(client: DynamoDBDocumentClient, table: string, offsetMs: number): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: table,
      Key: clockKey,
      UpdateExpression: 'SET offsetMs = :offset',
      ExpressionAttributeValues: { ':offset': offsetMs },
    }),
  );
}

/**
 * Moves the clock in one write, so that two who advance it at once both do.
 *
 * @param within the offsets between which the moved one has to be
 * @returns the new offset; null, and nothing moved, where it would not be within
 */
export async function moveOffset(
  client: DynamoDBDocumentClient,
  table: string,
  byMs: number,
  within: { least: number; greatest: number },
): Promise<number | null> {
  // A clock that is not set moves from 0, which no condition on the row can compare.
  const fromZero = within.least <= byMs && byMs <= within.greatest ? 'attribute_not_exists(offsetMs) OR ' : '';
  const moving = new UpdateCommand({
    TableName: table,
    Key: clockKey,
    UpdateExpression: 'ADD offsetMs :by',
    ConditionExpression: `${fromZero}offsetMs BETWEEN :least AND :greatest`,
    ExpressionAttributeValues: { ':by': byMs, ':least': within.least - byMs, ':greatest': within.greatest - byMs },
    ReturnValues: 'UPDATED_NEW',
  });
  const moved = await unlessConflict(client.send(moving), isRefused, () => null);
  return moved && Number(moved.Attributes?.offsetMs);
}

export async function removeOffset(client: DynamoDBDocumentClient, table: string): Promise<void> {
  await client.send(new UpdateCommand({ TableName: table, Key: clockKey, UpdateExpression: 'REMOVE offsetMs' }));
}
