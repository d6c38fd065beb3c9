import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { emailKey, isErased } from '../rules/profile.ts';
import { readUser } from './users.ts';

/** The profile becomes a tombstone, also where there was none; the row of the address goes with it. */
export const eraseProfile: Eraser<'Users'> = async ({ dynamo, tables: { Users } }, { userId, erasedAt }) => {
  const user = await readUser(dynamo, Users, userId);
  if (user && isErased(user)) return;
  const key = user?.email ? emailKey(user.application, user.email) : null;
  // The address may be another user's meanwhile.
  const owned = key !== null && (await ownerOf(dynamo, Users, key)) === userId ? key : null;
  await dynamo.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: Users, Item: { userId, erasedAt } } },
        ...(owned === null
          ? []
          : [
              {
                Delete: {
                  TableName: Users,
                  Key: { userId: owned },
                  ConditionExpression: '#owner = :userId',
                  ExpressionAttributeNames: { '#owner': 'owner' },
                  ExpressionAttributeValues: { ':userId': userId },
                },
              },
            ]),
      ],
    }),
  );
};

async function ownerOf(client: DynamoDBDocumentClient, table: string, key: string): Promise<unknown> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { userId: key }, ConsistentRead: true }));
  return Item?.owner;
}
