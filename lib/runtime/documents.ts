import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Each pause is twice as long as the one before, from 20 ms. */
const longestPausesMs: Readonly<Record<string, number>> = {
  TransactionConflictException: 80,
  TransactionInProgressException: 640,
};

/**
 * The client with which every function and command reads and writes rows. It can read any row, whatever numbers the row
 * contains. It also tries again what DynamoDB refuses for a moment only, and the SDK does not repeat: the write of one row while
 * a transaction has the row, and a transaction that the SDK sent twice, while its first sending is under way. A decision that
 * were made anew instead could be carried out beside the first one, so `commit` gives each its token.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function documentsOf(client: DynamoDBClient): DynamoDBDocumentClient {
  const documents = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: numberIn } });
  documents.middlewareStack.add((next) => async (args) => {
    for (let pauseMs = 20; ; pauseMs *= 2) {
      try {
        return await next({ ...args });
      } catch (error) {
        if (pauseMs > (longestPausesMs[(error as Error).name] ?? 0)) throw error;
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
