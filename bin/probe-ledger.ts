import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Probed } from './probed.ts';

/** @returns `done`, or the name of the refusal */
export function nameOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
}

/** Tries writes that the ledger's policy allows or denies, with the shell's credentials. */
export function probedLedger(client: DynamoDBClient, TableName: string): Probed['ledger'] {
  const Key = { userAgreement: { S: 'probe#probe' }, recordedAt: { S: '2026-01-01T00:00:00.000Z' } };
  const putInTransaction = (Item: Readonly<Record<string, AttributeValue>>) =>
    nameOf(client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item } }] })));
  return {
    put: () => nameOf(client.send(new PutItemCommand({ TableName, Item: Key }))),
    putInTransaction: () => putInTransaction(Key),
    putExpiringInTransaction: () => putInTransaction({ ...Key, expiresAt: { N: '1' } }),
    update: () =>
      nameOf(
        client.send(
          new UpdateItemCommand({
            TableName,
            Key,
            UpdateExpression: 'SET expiresAt = :at',
            ExpressionAttributeValues: { ':at': { N: '1' } },
          }),
        ),
      ),
    remove: () => nameOf(client.send(new DeleteItemCommand({ TableName, Key }))),
  };
}
