import { randomUUID } from 'node:crypto';
import { type AttributeValue, GetItemCommand, QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { agreementId, application, client } from './client.ts';

/** What agree and revoke have in common: the agreement, the user's state, and the transaction. */

type Id = { S: string };

export function readAgreement() {
  return client.send(
    new QueryCommand({
      TableName: 'Agreements',
      KeyConditionExpression: 'application = :application AND catalogueKey BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':application': application,
        ':first': { S: `agreement#${agreementId.S}` },
        ':last': { S: `agreement#${agreementId.S}#~` },
      },
      ConsistentRead: true,
    }),
  );
}

export async function change(userId: Id, action: string): Promise<string> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: 'ConsentStates', Key: { userId, agreementId }, ConsistentRead: true }),
  );
  const read = Item?.sequence;
  const recordedAt = new Date().toISOString();
  const record: Record<string, AttributeValue> = {
    userId,
    agreementId,
    recordedAt: { S: recordedAt },
    sequence: { N: String(Number(read?.N ?? 0) + 1) },
    recordId: { S: randomUUID() },
    action: { S: action },
    versionId: { S: 'marketing-1.0' },
    contentHash: { S: 'c'.repeat(64) },
    locale: { S: 'en' },
    localeSource: { S: 'negotiated' },
    hash: { S: 'd'.repeat(64) },
  };
  await client.send(
    new TransactWriteItemsCommand({
      ClientRequestToken: randomUUID(),
      TransactItems: [
        {
          Put: {
            TableName: 'ConsentRecords',
            Item: { userAgreement: { S: `${userId.S}#${agreementId.S}` }, ...record },
            ConditionExpression: 'attribute_not_exists(userAgreement)',
          },
        },
        {
          Put: {
            TableName: 'ConsentStates',
            Item: record,
            ...(read
              ? {
                  ConditionExpression: '#sequence = :read',
                  ExpressionAttributeNames: { '#sequence': 'sequence' },
                  ExpressionAttributeValues: { ':read': read },
                }
              : { ConditionExpression: 'attribute_not_exists(userId)' }),
          },
        },
      ],
    }),
  );
  return recordedAt;
}
