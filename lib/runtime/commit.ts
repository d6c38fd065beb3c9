import { randomUUID } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isContention } from './failure.ts';

export type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;

/**
 * One transaction.
 *
 * @param token the same for the same decision: DynamoDB makes the changes once, also if the SDK sends them again after a lost answer
 * @returns false if another writer was first: nothing is written, and the decision must be made again
 * @throws what the SDK throws; then the outcome may be unknown
 */
export async function commit(
  client: DynamoDBDocumentClient,
  TransactItems: Items,
  token: string = randomUUID(),
): Promise<boolean> {
  try {
    await client.send(new TransactWriteCommand({ ClientRequestToken: token, TransactItems }));
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}
