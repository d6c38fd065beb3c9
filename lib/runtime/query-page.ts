import { type Query, query } from './rows.ts';
import type { TableHandle } from './table-handle.ts';

/**
 * A page of a query's rows, strongly consistent, and whether more follow. It asks for one row more than the page has,
 * because DynamoDB returns a key after the last row, too. DynamoDB ends a page at a megabyte: the page is then shorter, and
 * more follow.
 */
export async function queryPage<Row>(
  table: TableHandle,
  asked: Query,
  limit: number,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const { Items = [], LastEvaluatedKey } = await query(table, { ...asked, Limit: limit + 1 });
  return { rows: Items.slice(0, limit) as Row[], hasMore: Items.length > limit || LastEvaluatedKey !== undefined };
}
