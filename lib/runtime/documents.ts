import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The client with which every function and command reads rows. It can read any row, whatever numbers the row contains. */
export function documentsOf(client: DynamoDBClient): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: numberIn } });
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
