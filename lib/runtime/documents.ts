import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * The client with which every function and command reads and writes rows. It can read any row, whatever numbers the row
 * contains. DynamoDB refuses the write of one row while a transaction has the row, and the SDK does not try that again: this
 * client does, three times.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 */
export function documentsOf(client: DynamoDBClient): DynamoDBDocumentClient {
  const documents = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: numberIn } });
  documents.middlewareStack.add((next) => async (args) => {
    for (let pauseMs = 20; ; pauseMs *= 2) {
      try {
        return await next({ ...args });
      } catch (error) {
        if (pauseMs > 80 || (error as Error).name !== 'TransactionConflictException') throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
      }
    }
  });
  return documents;
}

/**
 * DynamoDB's numbers have 38 digits. The SDK makes BigInts of integers that Number cannot hold, and JSON cannot contain
 * those. For a fraction it throws, so one such row would end every scan.
 *
 * @returns the text itself where a Number would change the value: an integer only after rounding, or a number that is too
 * large
 */
export function numberIn(text: string): number | string {
  const number = Number(text);
  const isExact = Number.isInteger(number) ? String(number) === text : Math.abs(number) < Number.MAX_SAFE_INTEGER;
  return isExact && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text;
}
