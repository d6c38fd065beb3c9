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
  return keys.length === 0 ? [] : (await batchGetFrom([[table, keys]]))[0];
}

type Asking<T = Any<'batchGet'>> = readonly [table: T, keys: Keys];

/**
 * Rows of several tables by their keys, each strongly consistent, in one call. Missing rows are left out, and the order is
 * DynamoDB's. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 *
 * @param wanted of each table some keys: at most 100 in all, each once
 * @returns of each table its rows
 * @throws a Failure `UNAVAILABLE` where some keys are left after three calls
 */
export function batchGetFrom<const W extends readonly Asking[]>(
  wanted: W,
): Promise<{ -readonly [I in keyof W]: RowIn<W[I][0]>[] }>;
/** Where rows are of several kinds: `batchGetFrom<[User, Head]>([[users, keys], [courses, keys]])`. */
export function batchGetFrom<const Rows extends readonly unknown[]>(
  wanted: {
    readonly [I in keyof Rows]: Asking<Any<'batchGet'> & Holding<NoInfer<Rows[I]>>>;
  },
): Promise<{ [I in keyof Rows]: Rows[I][] }>;
export async function batchGetFrom(wanted: readonly Asking[]): Promise<unknown[][]> {
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
  return wanted.map(([{ name }]) => rows[name] ?? []);
}
