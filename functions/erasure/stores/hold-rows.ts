import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { erasureKeyOf } from '../rules/erasure.ts';
import type { Erasure, LegalHold } from '../rules/state.ts';
import type { Items } from './erasure-rows.ts';

/**
 * Table `LegalHolds`: the hold itself. A user's state has a copy for readers of the state. Every function of the
 * erasure writes the state's row, but only the functions that place and lift holds write this table.
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

/** A condition for a transaction: it is committed only if the user has no hold at that moment. */
export function isNotHeld(table: string, userId: string): Items[number] {
  const ConditionExpression = 'attribute_not_exists(userId)';
  return { ConditionCheck: { TableName: table, Key: { userId }, ConditionExpression } };
}

/** The write that makes the hold's row match the state. */
export function holdMove(table: string, { userId, legalHold }: Erasure): Items[number] {
  return legalHold
    ? { Put: { TableName: table, Item: { userId, ...legalHold } } }
    : { Delete: { TableName: table, Key: { userId } } };
}

/**
 * After a restore: writes a hold that the state has. Like `repairAccount`, it writes nothing if the state has changed.
 * It lifts no hold.
 */
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
