import type { ErasedTable } from '../../../lib/contract/personal-data.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { removeRow } from '../../../lib/runtime/rows.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';

/** Rows of any domain that are found by a key, as its `personal-data.ts` says. Repeatable. */

/** @param handleOf the table's handle, by its declared name */
export async function erasePersonalRows(
  { table, through, fields = [] }: ErasedTable,
  handleOf: (declared: string) => Any<'query' | 'removeRow'>,
  userId: string,
): Promise<void> {
  const { name, partitionKey, sortKey } = table;
  const partitions = through
    ? rowsOf(handleOf(through.name), through.partitionKey, userId, (row) =>
        fields.map((field) => String(row[field])).join('#'),
      )
    : [userId];
  for await (const partition of partitions) {
    const keys = rowsOf(handleOf(name), partitionKey, partition, (row) => ({
      [partitionKey]: partition,
      ...(sortKey !== undefined && { [sortKey]: row[sortKey] }),
    }));
    for await (const Key of keys) await removeRow(handleOf(name), Key);
  }
}

async function* rowsOf<T>(
  table: Any<'query'>,
  partitionKey: string,
  partition: string,
  read: (row: Record<string, unknown>) => T,
): AsyncGenerator<T> {
  const rows = queryEach(table, inPartition({ [partitionKey]: partition }));
  for await (const row of rows) yield read(row);
}
