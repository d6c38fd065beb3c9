import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';

/** DynamoDB may leave some keys for another call, if the answer is too large or the table too busy. */
const attempts = 3;

type Keys = readonly Readonly<Record<string, string>>[];
type Asked = NonNullable<BatchGetCommand['input']['RequestItems']>;

/** Rows of one table, as `batchGetFrom` reads them. */
export async function batchGet<Row>(client: DynamoDBDocumentClient, table: string, keys: Keys): Promise<Row[]> {
  if (keys.length === 0) return [];
  return ((await batchGetFrom(client, { [table]: keys }))[table] ?? []) as Row[];
}

/**
 * Rows of several tables by their keys, each strongly consistent, in one call. Missing rows are left out, and the order is
 * DynamoDB's. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 *
 * @param keys by the table's name: at most 100 in all, each once
 * @throws a Failure `UNAVAILABLE` where some keys are left after three calls
 */
export async function batchGetFrom(
  client: DynamoDBDocumentClient,
  keys: Readonly<Record<string, Keys>>,
): Promise<Readonly<Record<string, readonly object[]>>> {
  const rows: Record<string, object[]> = {};
  const asked = Object.entries(keys).map(([table, all]) => [table, { Keys: [...all], ConsistentRead: true }]);
  let left: Asked = Object.fromEntries(asked);
  for (let attempt = 0; attempt < attempts && Object.keys(left).length > 0; attempt += 1) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(new BatchGetCommand({ RequestItems: left }));
    for (const [table, found] of Object.entries(Responses)) rows[table] = [...(rows[table] ?? []), ...found];
    left = UnprocessedKeys;
  }
  if (Object.keys(left).length > 0) throw new Failure(Unavailable);
  return rows;
}
