import { revisionOf } from '../../../lib/contract/revision.ts';
import { commit, counting, type Items } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { get, put, remove, update } from '../../../lib/runtime/rows.ts';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import type { FigureRow, Thing } from '../rules/sources.ts';
import type { Counted, OverviewEntries, OverviewFigures } from '../tables.ts';

/** Tables `OverviewFigures` and `OverviewEntries`. Reads are strongly consistent. */

/** Where a thing leaves its figures. */
export type LeftTables = {
  readonly OverviewFigures: OverviewFigures<'update'>;
  readonly OverviewEntries: OverviewEntries<'remove'>;
};

/** Where it moves to others, too. */
export type MovedTables = LeftTables & { readonly OverviewEntries: OverviewEntries<'put'> };

type Named = { readonly userId: string; readonly entry: string };

/** Of the one row that says which generation of the figures is read. */
export const generationsKey = { generation: 'generations', figure: 'current' } as const;

/** @param source the name of what it is one of */
export function entryOf(generation: number, source: string, { id }: Thing): string {
  return `${generation}#${source}#${id}`;
}

export async function readCounted(
  table: OverviewEntries<'get'>,
  userId: string,
  entry: string,
): Promise<Counted | null> {
  return get(table, { userId, entry });
}

/** What is counted: a row of its own table. */
export async function readRow(
  table: Any<'get'>,
  key: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>> | null> {
  return get(table, key);
}

/**
 * The thing's entry and the figures that this changes, in one transaction.
 *
 * @param to empty: it counts in none, and has no entry
 * @returns false where another writer was there first
 */
export async function isMoved(
  tables: MovedTables,
  named: Named,
  before: Counted | null,
  to: readonly string[],
): Promise<boolean> {
  if (to.length === 0) return hasLeft(tables, named, before);
  const row = { ...named, figures: to, revision: revisionOf(before?.revision) + 1 };
  const own = put(tables.OverviewEntries, row, ifRevision('userId', before?.revision));
  return commit([own, ...figureItems(tables.OverviewFigures, named, before, to)]);
}

/** The same for a thing that counts in none any more. */
export async function hasLeft(tables: LeftTables, named: Named, before: Counted | null): Promise<boolean> {
  const own = remove(tables.OverviewEntries, named, ifRevision('userId', before?.revision));
  return commit([own, ...figureItems(tables.OverviewFigures, named, before, [])]);
}

function figureItems(
  table: OverviewFigures<'update'>,
  { entry }: Named,
  before: Counted | null,
  to: readonly string[],
): Items {
  const from = Array.isArray(before?.figures) ? before.figures : [];
  const [generation = ''] = entry.split('#');
  const added = (figure: string, by: number) => {
    const change = {
      UpdateExpression: 'ADD #count :by',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':by': by },
    };
    return counting(update(table, { generation, figure }, change));
  };
  return [
    ...from.filter((figure) => !to.includes(figure)).map((figure) => added(figure, -1)),
    ...to.filter((figure) => !from.includes(figure)).map((figure) => added(figure, 1)),
  ];
}

/** Those whose names begin so, from `from` on. */
export async function readFigures(
  table: OverviewFigures<'query'>,
  generation: number,
  prefix: string,
  from = '',
): Promise<Map<string, number>> {
  const rows = await queryAll<FigureRow>(
    table,
    inPartition({ generation: String(generation) }, { figure: between(`${prefix}${from}`, `${prefix}~`) }),
  );
  return new Map(rows.map(({ figure, count }) => [figure, count]));
}
