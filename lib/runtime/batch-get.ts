import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';

/** DynamoDB may leave some keys for another call, if the answer is too large or the table too busy. */
const attempts = 3;

/**
 * Rows of one table by their keys, each strongly consistent, in one call. Missing rows are left out, and the order is
 * DynamoDB's. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 *
 * @param keys at most 100, each once
 * @throws a Failure `UNAVAILABLE` where some keys are left after three calls
 */
export async function batchGet<Row>(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Readonly<Record<string, string>>[],
): Promise<Row[]> {
  const rows: Row[] = [];
  let left = [...keys];
  for (let attempt = 0; attempt < attempts && left.length > 0; attempt += 1) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
    );
    rows.push(...((Responses?.[table] ?? []) as Row[]));
    left = (UnprocessedKeys?.[table]?.Keys ?? []) as typeof left;
  }
  if (left.length > 0) throw new Failure(Unavailable);
  return rows;
}
