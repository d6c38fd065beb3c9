import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keyedHash } from '../../../lib/runtime/keyed.ts';

/** Table `KnownDevices`. */

const yearSeconds = 366 * 86_400;

type Device = { readonly secret: string; readonly userId: string; readonly identity: string; readonly now: Date };

/** @returns whether the account knows other devices and not this one, so that its owner is to be told */
export async function isNewDevice(
  client: DynamoDBDocumentClient,
  table: string,
  { secret, userId, identity }: Device,
): Promise<boolean> {
  const deviceHash = hashOf(secret, userId, identity);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ProjectionExpression: 'deviceHash',
      ConsistentRead: true,
      Limit: 100,
    }),
  );
  return Items.length > 0 && !Items.some((item) => item.deviceHash === deviceHash);
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
