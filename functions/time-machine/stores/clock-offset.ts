import { clockKey } from '../../../lib/runtime/clock.ts';
import { unlessConflict } from '../../../lib/runtime/commit.ts';
import { isRefused } from '../../../lib/runtime/failure.ts';
import { updateRow } from '../../../lib/runtime/rows.ts';
import type { Clock } from '../tables.ts';

/** Table `Clock`: one row, which every function reads (lib/runtime/clock.ts). */

export { readOffset } from '../../../lib/runtime/clock.ts';

export async function writeOffset(table: Clock<'updateRow'>, offsetMs: number): Promise<void> {
  await updateRow(table, clockKey, {
    UpdateExpression: 'SET offsetMs = :offset',
    ExpressionAttributeValues: { ':offset': offsetMs },
  });
}

/**
 * Moves the clock in one write, so that two who advance it at once both do.
 *
 * @param within the offsets between which the moved one has to be
 * @returns the new offset; null, and nothing moved, where it would not be within
 */
export async function moveOffset(
  table: Clock<'updateRow'>,
  byMs: number,
  within: { least: number; greatest: number },
): Promise<number | null> {
  // A clock that is not set moves from 0, which no condition on the row can compare.
  const fromZero = within.least <= byMs && byMs <= within.greatest ? 'attribute_not_exists(offsetMs) OR ' : '';
  const moving = updateRow(table, clockKey, {
    UpdateExpression: 'ADD offsetMs :by',
    ConditionExpression: `${fromZero}offsetMs BETWEEN :least AND :greatest`,
    ExpressionAttributeValues: { ':by': byMs, ':least': within.least - byMs, ':greatest': within.greatest - byMs },
    ReturnValues: 'UPDATED_NEW',
  });
  const moved = await unlessConflict(moving, isRefused, () => null);
  return moved && Number(moved.Attributes?.offsetMs);
}

export async function removeOffset(table: Clock<'updateRow'>): Promise<void> {
  await updateRow(table, clockKey, { UpdateExpression: 'REMOVE offsetMs' });
}
