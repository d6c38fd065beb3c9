import { randomUUID } from 'node:crypto';
import { revisionOf } from '../../../lib/contract/revision.ts';
import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { get, putRow } from '../../../lib/runtime/rows.ts';
import type { Action, Any } from '../../../lib/runtime/table-handle.ts';
import { type Generations, generationsOf, nextAfter } from '../rules/next-generation.ts';

/** The row that says which generation of a table's figures is read, and which one a rebuild counts into. Reads are strongly consistent. */

type GenerationsHandle<A extends Action> = {
  readonly table: Any<A>;
  readonly key: Readonly<Record<string, string>>;
};

export async function readGenerations({ table, key }: GenerationsHandle<'get'>): Promise<Generations> {
  return generationsOf(await get(table, key));
}

/** @returns the generation to count into */
export async function beginGeneration(row: GenerationsHandle<'get' | 'putRow'>): Promise<number> {
  const { revision, ...now } = await readRevised(row);
  const next = nextAfter(now, randomUUID());
  return (await isMoved(row, revision, next)) ? next.counting : beginGeneration(row);
}

/**
 * From now on `generation` is read.
 *
 * @throws an Error where another rebuild was begun meanwhile
 */
export async function finishGeneration(row: GenerationsHandle<'get' | 'putRow'>, generation: number): Promise<void> {
  const { revision, counting } = await readRevised(row);
  if (counting === generation) await isMoved(row, revision, { current: generation, counting: null });
  if ((await readGenerations(row)).current !== generation) throw new Error('another rebuild was begun meanwhile');
}

async function readRevised({ table, key }: GenerationsHandle<'get'>): Promise<Generations & { revision: number }> {
  const row = await get(table, key);
  return { ...generationsOf(row), revision: revisionOf(row?.revision) };
}

/** @returns false where another rebuild was there first */
async function isMoved(
  { table, key }: GenerationsHandle<'putRow'>,
  revision: number,
  to: Generations,
): Promise<boolean> {
  const [name = ''] = Object.keys(key);
  const row = { ...key, ...to, revision: revision + 1 };
  return succeedsUnlessConflict(putRow(table, row, ifRevision(name, revision)));
}
