import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type Erasure, erasureKeyOf, type LegalHold } from '../rules/erasure.ts';
import type { Items } from './erasure-rows.ts';

/**
 * Table `LegalHolds`: the hold itself. The copy in a user's state is for readers of that state; the state's row is
 * written by every function of the erasure, and this one by those that place and lift.
 */

export async function isHeld(client: DynamoDBDocumentClient, table: string, userId: string): Promise<boolean> {
  return (await readHold(client, table, userId)) !== null;
}

export async function readHold(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<LegalHold | null> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  if (!Item) return null;
  const { since, by, reason } = Item;
  return { since, by, reason };
}

/** Of a transaction that goes through where nobody holds the user's data at its commit. */
export function isNotHeld(table: string, userId: string): Items[number] {
  const ConditionExpression = 'attribute_not_exists(userId)';
  return { ConditionCheck: { TableName: table, Key: { userId }, ConditionExpression } };
}

/** What makes the hold what the state says. */
export function holdMove(table: string, { userId, legalHold }: Erasure): Items[number] {
  return legalHold
    ? { Put: { TableName: table, Item: { userId, ...legalHold } } }
    : { Delete: { TableName: table, Key: { userId } } };
}

/** After a restore, a hold that the state has: as `repairAccount`, nothing is written where that has changed. None is lifted. */
export async function repairHold(
  client: DynamoDBDocumentClient,
  { table, holds }: { readonly table: string; readonly holds: string },
  erasure: Erasure,
): Promise<void> {
  const { userId, revision, legalHold } = erasure;
  if (!legalHold || (await isHeld(client, holds, userId))) return;
  const isStill = {
    TableName: table,
    Key: erasureKeyOf(userId),
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: { ':read': revision },
  };
  const TransactItems = [{ ConditionCheck: isStill }, holdMove(holds, erasure)];
  await client.send(new TransactWriteCommand({ TransactItems }));
}
