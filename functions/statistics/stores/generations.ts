import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { get, putRow } from '../../../lib/runtime/rows.ts';
import { generationsKey } from '../rules/statistics-keys.ts';
import type { ConsentStatistics } from '../tables.ts';

/** Which generation is read, and which one a rebuild counts into beside it. */
export type Generations = { current: number; counting: number | null };

const first: Generations = { current: 1, counting: null };

export async function readGenerations(table: ConsentStatistics<'get'>): Promise<Generations> {
  return (await get<Generations>(table, generationsKey)) ?? first;
}

/** @returns the generation to count into; of an interrupted rebuild, that one's */
export async function beginGeneration(table: ConsentStatistics<'get' | 'putRow'>): Promise<number> {
  const { current, counting } = await readGenerations(table);
  if (counting !== null) return counting;
  await move(table, { current, counting: current + 1 }, { current, counting: null });
  return beginGeneration(table);
}

/** From now on `generation` is read. Where it is read already, nothing changes. */
export async function finishGeneration(table: ConsentStatistics<'get' | 'putRow'>, generation: number): Promise<void> {
  const { current, counting } = await readGenerations(table);
  if (counting !== generation) return;
  await move(table, { current: generation, counting: null }, { current, counting });
}

/** Nothing where another rebuild was there first: what it wrote is read next. */
async function move(table: ConsentStatistics<'putRow'>, next: Generations, read: Generations) {
  const isAsRead = {
    ConditionExpression: 'attribute_not_exists(agreementId) OR (#current = :current AND counting = :counting)',
    ExpressionAttributeNames: { '#current': 'current' },
    ExpressionAttributeValues: { ':current': read.current, ':counting': read.counting },
  };
  await succeedsUnlessConflict(putRow(table, { ...generationsKey, ...next }, isAsRead));
}
