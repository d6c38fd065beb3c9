import { commit, counting, succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { get, put, putRow, remove, update } from '../../../lib/runtime/rows.ts';
import type { TableHandle } from '../../../lib/runtime/table-handle.ts';
import type { Thing } from '../rules/sources.ts';

/** Tables `OverviewFigures` and `OverviewEntries`. Reads are strongly consistent. */

export type OverviewTables = { readonly OverviewFigures: TableHandle; readonly OverviewEntries: TableHandle };

/** In which figures a thing counts. */
export type Counted = { readonly figures: readonly string[]; readonly revision: number };

export type Generations = { readonly current: number; readonly counting: number | null };

const generationsKey = { generation: 'generations', figure: 'current' } as const;

export async function readGenerations(table: TableHandle): Promise<Generations> {
  return (await get<Generations>(table, generationsKey)) ?? { current: 1, counting: null };
}

/** @returns false where another rebuild was there first */
export async function moveGenerations(table: TableHandle, from: Generations, to: Generations): Promise<boolean> {
  const condition = {
    ConditionExpression: 'attribute_not_exists(generation) OR (#current = :current AND counting = :counting)',
    ExpressionAttributeNames: { '#current': 'current' },
    ExpressionAttributeValues: { ':current': from.current, ':counting': from.counting },
  };
  return succeedsUnlessConflict(putRow(table, { ...generationsKey, ...to }, condition));
}

/** @param source the name of what it is one of */
export function entryOf(generation: number, source: string, { id }: Thing): string {
  return `${generation}#${source}#${id}`;
}

export async function readCounted(table: TableHandle, userId: string, entry: string): Promise<Counted | null> {
  return get<Counted>(table, { userId, entry });
}

/** What is counted: a row of its own table. */
export async function readRow(
  table: TableHandle,
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
  tables: OverviewTables,
  { userId, entry }: { readonly userId: string; readonly entry: string },
  before: Counted | null,
  to: readonly string[],
): Promise<boolean> {
  const from = Array.isArray(before?.figures) ? before.figures : [];
  const isStill = before
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(userId)' };
  const row = { userId, entry, figures: to, revision: (before?.revision ?? 0) + 1 };
  const [generation = ''] = entry.split('#');
  const added = (figure: string, by: number) => {
    const change = {
      UpdateExpression: 'ADD #count :by',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':by': by },
    };
    return counting(update(tables.OverviewFigures, { generation, figure }, change));
  };
  const own =
    to.length > 0
      ? put(tables.OverviewEntries, row, isStill)
      : remove(tables.OverviewEntries, { userId, entry }, isStill);
  return commit([
    own,
    ...from.filter((figure) => !to.includes(figure)).map((figure) => added(figure, -1)),
    ...to.filter((figure) => !from.includes(figure)).map((figure) => added(figure, 1)),
  ]);
}

/** Those whose names begin so, from `from` on. */
export async function readFigures(
  table: TableHandle,
  generation: number,
  prefix: string,
  from = '',
): Promise<Map<string, number>> {
  const rows = await queryAll<{ figure: string; count: number }>(table, {
    KeyConditionExpression: 'generation = :generation AND figure BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':generation': String(generation),
      ':first': `${prefix}${from}`,
      ':last': `${prefix}~`,
    },
  });
  return new Map(rows.map(({ figure, count }) => [figure, count]));
}
