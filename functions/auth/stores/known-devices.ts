import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keyedHash } from '../../../lib/runtime/keyed.ts';

/** Table `KnownDevices`. */

const yearSeconds = 366 * 86_400;

type Device = { readonly secret: string; readonly userId: string; readonly identity: string; readonly now: Date };

/**
 * Its own row first: an account can know more devices than one page has.
 *
 * @returns whether the account knows other devices but not this one: then its owner gets a mail
 */
export async function isNewDevice(
  client: DynamoDBDocumentClient,
  table: string,
  { secret, userId, identity }: Device,
): Promise<boolean> {
  const Key = { userId, deviceHash: hashOf(secret, userId, identity) };
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  if (Item) return false;
  const { Count = 0 } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ConsistentRead: true,
      Limit: 1,
    }),
  );
  return Count > 0;
}

export async function knowDevice(
  client: DynamoDBDocumentClient,
  table: string,
  { secret, userId, identity, now }: Device,
): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: table,
      Key: { userId, deviceHash: hashOf(secret, userId, identity) },
      UpdateExpression: 'SET seenAt = :now, expiresAt = :expiresAt',
      ExpressionAttributeValues: {
        ':now': now.toISOString(),
        ':expiresAt': Math.ceil(now.getTime() / 1000) + yearSeconds,
      },
    }),
  );
}

function hashOf(secret: string, userId: string, identity: string): string {
  return keyedHash(secret, 'known device', `${userId}#${identity}`).slice(0, 32);
}
