import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The client that every function and command reads rows with: none is unreadable, whatever number somebody put into it. */
export function documentsOf(client: DynamoDBClient): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: numberIn } });
}

/**
 * DynamoDB's numbers have 38 digits. The SDK makes BigInts of what is beyond Number's integers, which no JSON takes, and throws
 * where there is a fraction, so that one such row would end every scan.
 *
 * @returns the text itself where a Number would be another one: an integer that only looks like it, or one too large
 */
export function numberIn(text: string): number | string {
  const number = Number(text);
  const isExact = Number.isInteger(number) ? String(number) === text : Math.abs(number) < Number.MAX_SAFE_INTEGER;
  return isExact && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text;
}
