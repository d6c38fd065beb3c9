import { type Query, query } from './rows.ts';
import type { TableHandle } from './table-handle.ts';

/** All rows of a query at this moment. A page of DynamoDB's has a megabyte at most. @param most the rest is not read where there are more */
export async function queryAll<Row>(table: TableHandle, asked: Query, most = Number.POSITIVE_INFINITY): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pagesOf(table, asked)) {
    rows.push(...(page as Row[]));
    if (rows.length > most) break;
  }
  return rows;
}

/** The same rows one by one, for queries that do not fit into memory. Rows may be deleted meanwhile. */
export async function* queryEach<Row>(table: TableHandle, asked: Query): AsyncGenerator<Row, void, undefined> {
  for await (const page of pagesOf(table, asked)) yield* page as Row[];
}

async function* pagesOf(table: TableHandle, asked: Query) {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await query(table, next ? { ...asked, ExclusiveStartKey: next } : asked);
    yield page.Items ?? [];
    next = page.LastEvaluatedKey;
  } while (next);
}
