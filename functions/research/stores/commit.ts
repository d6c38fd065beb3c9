import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';

export type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** @returns false, and nothing is written, where another writer was first: the decision is to be taken anew */
export async function commit(client: DynamoDBDocumentClient, TransactItems: Items): Promise<boolean> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems }));
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}
