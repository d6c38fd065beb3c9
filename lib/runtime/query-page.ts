import { type OfKey, sortKeyOf } from './key-range.ts';
import { type Query, queryOf, type Stated, type Whole } from './rows.ts';
import type { Any, Holding, KeyIn, RowIn } from './table-handle.ts';

/** `next`: the sort key that the page ended with, if more follow and the query names its sort key (`inPartition`). */
type Page<Row> = { rows: Row[]; hasMore: boolean; next: string | null };

/**
 * A page of a query's rows, strongly consistent, and whether more follow. It asks for one row more than the page has,
 * because DynamoDB returns a key after the last row, too. DynamoDB ends a page at a megabyte: the page is then shorter, and
 * more follow.
 */
export function queryPage<T extends Any<'query'>>(
  table: T,
  asked: Whole<Query> & OfKey<keyof KeyIn<T>>,
  limit: number,
): Promise<Page<RowIn<T>>>;
/** Where rows are of several kinds, or only some attributes are read. */
export function queryPage<Row = never>(
  table: Any<'query'> & Holding<NoInfer<Row>>,
  asked: Stated<Row, Query>,
  limit: number,
): Promise<Page<Row>>;
export async function queryPage(
  table: Any<'query'>,
  asked: Query & { [sortKeyOf]?: string },
  limit: number,
): Promise<Page<unknown>> {
  const { Items = [], LastEvaluatedKey } = await queryOf(table, { ...asked, Limit: limit + 1 });
  const rows = Items.slice(0, limit);
  const hasMore = Items.length > limit || LastEvaluatedKey !== undefined;
  const end = asked[sortKeyOf] && rows.at(-1)?.[asked[sortKeyOf]];
  return { rows, hasMore, next: hasMore && end !== undefined ? String(end) : null };
}
