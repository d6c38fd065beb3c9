import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

/**
 * Whether a user is known: by a profile, by the rest of an erased profile, or only by records, which are kept longer
 * than both.
 *
 * @returns the application, null if no profile names it; undefined for an unknown user
 */
export async function applicationOf(
  client: DynamoDBDocumentClient,
  tables: { Users: string; ConsentStates: string },
  userId: string,
): Promise<string | null | undefined> {
  const [profile, states] = await Promise.all([
    client.send(new GetCommand({ TableName: tables.Users, Key: { userId }, ConsistentRead: true })),
    client.send(
      new QueryCommand({
        TableName: tables.ConsentStates,
        KeyConditionExpression: 'userId = :userId',
        ExpressionAttributeValues: { ':userId': userId },
        ConsistentRead: true,
        Limit: 1,
      }),
    ),
  ]);
  if (profile.Item) return (profile.Item.application as string | undefined) ?? null;
  return states.Items?.length ? null : undefined;
}
