import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isContention } from './failure.ts';

export type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** One transaction. @returns false if another writer was first: nothing is written, and the decision must be made again */
export async function commit(client: DynamoDBDocumentClient, TransactItems: Items): Promise<boolean> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems }));
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}
