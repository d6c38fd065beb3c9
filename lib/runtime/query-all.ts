import type { OfKey } from './key-range.ts';
import { type Query, queryOf, type Stated, type Whole } from './rows.ts';
import type { Any, Holding, KeyIn, RowIn } from './table-handle.ts';

const mostPages = 16;

export class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}

type Each<Row> = AsyncGenerator<Row, void, undefined>;

/**
 * All rows of a query at this moment, where these are few. A page of DynamoDB's has a megabyte at most.
 *
 * @param most the rest is not read where there are more
 * @throws TooManyRows after 16 pages: whoever may add rows must not end a run in which others wait by filling its memory
 */
export function queryAll<T extends Any<'query'>>(
  table: T,
  asked: Whole<Query> & OfKey<keyof KeyIn<T>>,
  most?: number,
): Promise<RowIn<T>[]>;
/** Where rows are of several kinds, or only some attributes are read. */
export function queryAll<Row = never>(
  table: Any<'query'> & Holding<NoInfer<Row>>,
  asked: Stated<Row, Query>,
  most?: number,
): Promise<Row[]>;
export async function queryAll(table: Any<'query'>, asked: Query, most = Number.POSITIVE_INFINITY): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const page of pagesOf(table, asked, mostPages)) {
    rows.push(...page);
    if (rows.length > most) break;
  }
  return rows;
}

/**
 * The same rows one by one, for queries that do not fit into memory. Rows may be deleted meanwhile.
 *
 * @throws TooManyRows after `most` pages, if it is given
 */
export function queryEach<T extends Any<'query'>>(
  table: T,
  asked: Whole<Query> & OfKey<keyof KeyIn<T>>,
  most?: number,
): Each<RowIn<T>>;
/** Where rows are of several kinds, or only some attributes are read. */
export function queryEach<Row = never>(
  table: Any<'query'> & Holding<NoInfer<Row>>,
  asked: Stated<Row, Query>,
  most?: number,
): Each<Row>;
export async function* queryEach(table: Any<'query'>, asked: Query, most?: number): Each<unknown> {
  for await (const page of pagesOf(table, asked, most)) yield* page;
}

async function* pagesOf(table: Any<'query'>, asked: Query, most = Number.POSITIVE_INFINITY) {
  let next: Record<string, unknown> | undefined;
  let pages = 0;
  do {
    pages += 1;
    if (pages > most) throw new TooManyRows();
    const page = await queryOf(table, next ? { ...asked, ExclusiveStartKey: next } : asked);
    yield page.Items ?? [];
    next = page.LastEvaluatedKey;
  } while (next);
}
