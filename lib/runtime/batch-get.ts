import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';
import type { Key, Stated } from './rows.ts';
import type { Any, Holding, KeyIn, RowIn } from './table-handle.ts';

/** DynamoDB may leave some keys for another call, if the answer is too large or the table too busy. */
const attempts = 3;

type Keys = readonly Key[];
type Asked = NonNullable<BatchGetCommand['input']['RequestItems']>;

/** Rows of one table, as `batchGetFrom` reads them. */
export function batchGet<T extends Any<'batchGet'>>(table: T, keys: readonly KeyIn<T>[]): Promise<RowIn<T>[]>;
/** Where rows are of several kinds. */
export function batchGet<Row = never>(
  table: Any<'batchGet'> & Holding<NoInfer<Row>>,
  keys: Stated<Row, Keys>,
): Promise<Row[]>;
export async function batchGet(table: Any<'batchGet'>, keys: Keys): Promise<unknown[]> {
  if (keys.length === 0) return [];
  return [...((await batchGetFrom([[table, keys]]))[table.name] ?? [])];
}

/**
 * Rows of several tables by their keys, each strongly consistent, in one call. Missing rows are left out, and the order is
 * DynamoDB's. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 *
 * @param wanted of each table some keys: at most 100 in all, each once
 * @returns the rows by the table's name
 * @throws a Failure `UNAVAILABLE` where some keys are left after three calls
 */
export async function batchGetFrom(
  wanted: readonly (readonly [table: Any<'batchGet'>, keys: Keys])[],
): Promise<Readonly<Record<string, readonly object[]>>> {
  const rows: Record<string, object[]> = {};
  const client = wanted[0]?.[0].client;
  const asked = wanted.map(([{ name }, keys]) => [name, { Keys: [...keys], ConsistentRead: true }]);
  let left: Asked = Object.fromEntries(asked);
  for (let attempt = 0; client && attempt < attempts && Object.keys(left).length > 0; attempt += 1) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(new BatchGetCommand({ RequestItems: left }));
    for (const [table, found] of Object.entries(Responses)) rows[table] = [...(rows[table] ?? []), ...found];
    left = UnprocessedKeys;
  }
  if (Object.keys(left).length > 0) throw new Failure(Unavailable);
  return rows;
}
