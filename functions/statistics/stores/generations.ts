import { randomUUID } from 'node:crypto';
import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { get, putRow, removeRow } from '../../../lib/runtime/rows.ts';
import { type Generations, generationsOf, nextAfter, noneYet } from '../rules/next-generation.ts';
import { generationsKey } from '../rules/statistics-keys.ts';
import type { ConsentStatistics } from '../tables.ts';

export async function readGenerations(table: ConsentStatistics<'get'>): Promise<Generations> {
  return generationsOf(await get<Partial<Generations>>(table, generationsKey));
}

/** @returns the generation to count into */
export async function beginGeneration(table: ConsentStatistics<'get' | 'putRow' | 'removeRow'>): Promise<number> {
  const now = await readGenerations(table);
  // There is no row, or one that counts as none.
  if (now === noneYet) await removeRow(table, generationsKey);
  const next = nextAfter(now, randomUUID());
  return (await isMoved(table, next, now)) ? next.counting : beginGeneration(table);
}

/**
 * From now on `generation` is read.
 *
 * @throws an Error where another rebuild was begun meanwhile
 */
export async function finishGeneration(table: ConsentStatistics<'get' | 'putRow'>, generation: number): Promise<void> {
  const now = await readGenerations(table);
  if (now.counting === generation) await isMoved(table, { current: generation, counting: null }, now);
  if ((await readGenerations(table)).current !== generation) throw new Error('another rebuild was begun meanwhile');
}

/** @returns false where another rebuild was there first */
async function isMoved(table: ConsentStatistics<'putRow'>, next: Generations, read: Generations): Promise<boolean> {
  const isAsRead = {
    ConditionExpression: 'attribute_not_exists(agreementId) OR (#current = :current AND counting = :counting)',
    ExpressionAttributeNames: { '#current': 'current' },
    ExpressionAttributeValues: { ':current': read.current, ':counting': read.counting },
  };
  return succeedsUnlessConflict(putRow(table, { ...generationsKey, ...next }, isAsRead));
}
