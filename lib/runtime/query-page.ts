import { type Query, query, type Stated, type Whole } from './rows.ts';
import type { Any, RowIn } from './table-handle.ts';

type Page<Row> = { rows: Row[]; hasMore: boolean };

/**
 * A page of a query's rows, strongly consistent, and whether more follow. It asks for one row more than the page has,
 * because DynamoDB returns a key after the last row, too. DynamoDB ends a page at a megabyte: the page is then shorter, and
 * more follow.
 */
export function queryPage<T extends Any<'query'>>(
  table: T,
  asked: Whole<Query>,
  limit: number,
): Promise<Page<RowIn<T>>>;
/** Where rows are of several kinds, or only some attributes are read. */
export function queryPage<Row = never>(
  table: Any<'query'>,
  asked: Stated<Row, Query>,
  limit: number,
): Promise<Page<Row>>;
export async function queryPage(table: Any<'query'>, asked: Query, limit: number): Promise<Page<unknown>> {
  const { Items = [], LastEvaluatedKey } = await query(table, { ...asked, Limit: limit + 1 });
  return { rows: Items.slice(0, limit), hasMore: Items.length > limit || LastEvaluatedKey !== undefined };
}
