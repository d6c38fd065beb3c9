import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * The client with which every function and command reads and writes rows. It can read any row, whatever numbers the row
 * contains.
 */
export function documentsOf(client: DynamoDBClient): DynamoDBDocumentClient {
  const documents = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: numberIn } });
  documents.middlewareStack.add(
    (next) => async (args) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await next({ ...args });
        } catch (error) {
          if (attempt === mostTries || !isOngoing(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
        }
      }
    },
    { step: 'initialize', name: 'whileNoTransaction' },
  );
  return documents;
}

const mostTries = 4;

/**
 * DynamoDB refuses the write of one row while a transaction has the row, and the SDK does not try that again. Nothing is written.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 */
function isOngoing(error: unknown): boolean {
  return error instanceof Error && error.name === 'TransactionConflictException';
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
