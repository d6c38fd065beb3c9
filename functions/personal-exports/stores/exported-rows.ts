import type { ExportedTable } from '../../../lib/contract/personal-data.ts';
import type { ExportDependencies, ExportPosition, ExportReader } from '../../../lib/runtime/exporter.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryOf } from '../../../lib/runtime/rows.ts';
import { handleNamed, type TableHandle } from '../../../lib/runtime/table-handle.ts';

/** Rows of any domain that are found by a key, as its `personal-data.ts` says: a page at a time, from any place on. */

type Row = Readonly<Record<string, unknown>>;
type Keys = ExportedTable['table'];

const pageRows = 1000;

/** By their declared names. */
type ExportedTables = Readonly<Record<string, TableHandle>>;

export function readerOf({ table, through, fields = [], without = [] }: ExportedTable): ExportReader<ExportedTables> {
  const shown = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => !without.includes(name)));
  return async (from, { userId }, after) => {
    if (!through) {
      const page = await readPage(from, table, userId, pageRows, after);
      return { rows: page.rows.map(shown), next: page.last };
    }
    // Of the other table one row at a time: it says which partition is read, and from where the next one is looked for.
    const place = after as { outer: ExportPosition | null; partition: string; inner: ExportPosition | null } | null;
    if (place?.inner) {
      // Whoever can write an export's row could name anybody's partition.
      if (!place.partition.startsWith(`${userId}#`)) throw new Error('the position is of another person');
      const page = await readPage(from, table, place.partition, pageRows, place.inner);
      return { rows: page.rows.map(shown), next: follow(place.outer, place.partition, page.last) };
    }
    const { rows, last } = await readPage(from, through, userId, 1, place?.outer ?? null);
    const [owner] = rows;
    if (!owner) return { rows: [], next: null };
    const partition = fields.map((field) => String(owner[field])).join('#');
    const page = await readPage(from, table, partition, pageRows, null);
    return { rows: page.rows.map(shown), next: follow(last, partition, page.last) };
  };
}

/** More of this partition, else the next one, else no more. */
function follow(outer: ExportPosition | null, partition: string, inner: ExportPosition | null): ExportPosition | null {
  return inner || outer ? { outer, partition, inner } : null;
}

async function readPage(
  { tables }: ExportDependencies<ExportedTables>,
  { name, partitionKey }: Keys,
  partition: string,
  Limit: number,
  after: ExportPosition | null,
): Promise<{ rows: Row[]; last: ExportPosition | null }> {
  const { Items = [], LastEvaluatedKey } = await queryOf(handleNamed(tables, name), {
    ...inPartition({ [partitionKey]: partition }),
    Limit,
    ...(after && { ExclusiveStartKey: after }),
  });
  return { rows: Items, last: (LastEvaluatedKey as ExportPosition | undefined) ?? null };
}
