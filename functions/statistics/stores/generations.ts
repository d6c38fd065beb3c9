import { randomUUID } from 'node:crypto';
import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { get, putRow, removeRow } from '../../../lib/runtime/rows.ts';
import type { Action, Any } from '../../../lib/runtime/table-handle.ts';
import { type Generations, generationsOf, nextAfter, noneYet } from '../rules/next-generation.ts';

/** The row that says which generation of a table's figures is read, and which one a rebuild counts into. Reads are strongly consistent. */

type GenerationsRow<A extends Action> = { readonly table: Any<A>; readonly key: Readonly<Record<string, string>> };

export async function readGenerations({ table, key }: GenerationsRow<'get'>): Promise<Generations> {
  return generationsOf(await get(table, key));
}

/** @returns the generation to count into */
export async function beginGeneration(row: GenerationsRow<'get' | 'putRow' | 'removeRow'>): Promise<number> {
  const now = await readGenerations(row);
  // There is no row, or one that counts as none.
  if (now === noneYet) await removeRow(row.table, row.key);
  const next = nextAfter(now, randomUUID());
  return (await isMoved(row, now, next)) ? next.counting : beginGeneration(row);
}

/**
 * From now on `generation` is read.
 *
 * @throws an Error where another rebuild was begun meanwhile
 */
export async function finishGeneration(row: GenerationsRow<'get' | 'putRow'>, generation: number): Promise<void> {
  const now = await readGenerations(row);
  if (now.counting === generation) await isMoved(row, now, { current: generation, counting: null });
  if ((await readGenerations(row)).current !== generation) throw new Error('another rebuild was begun meanwhile');
}

/** @returns false where another rebuild was there first */
async function isMoved({ table, key }: GenerationsRow<'putRow'>, from: Generations, to: Generations): Promise<boolean> {
  const [name = ''] = Object.keys(key);
  const unmoved = from === noneYet ? ifAbsent(name) : ifUnchanged({ ...from });
  return succeedsUnlessConflict(putRow(table, { ...key, ...to }, unmoved));
}
