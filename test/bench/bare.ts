import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';

/** The calls that list, agree and revoke cannot do without, and nothing around them: the floor that they are held to. */

type Client = DynamoDBDocumentClient;

const sequences = new Map<string, number>();

function states(client: Client, userId: string) {
  return client.send(
    new QueryCommand({
      TableName: 'ConsentStates',
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ConsistentRead: true,
    }),
  );
}

/** The catalogue is kept for five seconds, so that the states are all that a list reads. */
export function bareList(client: Client, userId: string) {
  return states(client, userId);
}

function agreement(client: Client) {
  return client.send(
    new QueryCommand({
      TableName: 'Agreements',
      KeyConditionExpression: 'application = :application AND catalogueKey BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':application': 'sleepcare',
        ':first': 'agreement#marketing',
        ':last': 'agreement#marketing#~',
      },
      ConsistentRead: true,
    }),
  );
}

function state(client: Client, userId: string) {
  return client.send(
    new GetCommand({ TableName: 'ConsentStates', Key: { userId, agreementId: 'marketing' }, ConsistentRead: true }),
  );
}

async function write(client: Client, userId: string, action: string) {
  const sequence = (sequences.get(userId) ?? 0) + 1;
  sequences.set(userId, sequence);
  const record = {
    userId,
    agreementId: 'marketing',
    recordedAt: new Date(Date.UTC(2026, 0, 1) + sequence).toISOString(),
    sequence,
    recordId: randomUUID(),
    action,
    versionId: 'marketing-1.0',
    contentHash: 'c'.repeat(64),
    locale: 'en',
    localeSource: 'negotiated',
    hash: 'h'.repeat(64),
  };
  await client.send(
    new TransactWriteCommand({
      ClientRequestToken: randomUUID(),
      TransactItems: [
        {
          Put: {
            TableName: 'ConsentRecords',
            Item: { userAgreement: `${userId}#marketing`, ...record },
            ConditionExpression: 'attribute_not_exists(userAgreement)',
          },
        },
        {
          Put: {
            TableName: 'ConsentStates',
            Item: record,
            ConditionExpression: 'attribute_not_exists(userId) OR #sequence = :read',
            ExpressionAttributeNames: { '#sequence': 'sequence' },
            ExpressionAttributeValues: { ':read': sequence - 1 },
          },
        },
      ],
    }),
  );
}

export async function bareAgree(client: Client, userId: string): Promise<void> {
  await client.send(
    new GetCommand({
      TableName: 'Agreements',
      Key: { application: '*', catalogueKey: 'version#marketing-1.0' },
      ConsistentRead: true,
    }),
  );
  await agreement(client);
  await state(client, userId);
  await write(client, userId, 'agreed');
}

export async function bareRevoke(client: Client, userId: string): Promise<void> {
  await agreement(client);
  await state(client, userId);
  await write(client, userId, 'revoked');
}
