import { transact } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifRevision } from '../../../lib/runtime/conditions.ts';
import { check, get, put, remove, type TransactItem } from '../../../lib/runtime/rows.ts';
import { erasureKeyOf } from '../rules/erasure.ts';
import type { Erasure, LegalHold } from '../rules/state.ts';
import type { Erasures, LegalHolds } from '../tables.ts';

/**
 * Table `LegalHolds`: the hold itself. A user's state has a copy for readers of the state. Every function of the
 * erasure writes the state's row, but only the functions that place and lift holds write this table.
 */

export async function isHeld(table: LegalHolds<'get'>, userId: string): Promise<boolean> {
  return (await readHold(table, userId)) !== null;
}

export async function readHold(table: LegalHolds<'get'>, userId: string): Promise<LegalHold | null> {
  const row = await get(table, { userId });
  return row && { since: row.since, by: row.by, reason: row.reason };
}

/** A condition for a transaction: it is committed only if the user has no hold at that moment. */
export function isNotHeld(table: LegalHolds<'check'>, userId: string): TransactItem {
  return check(table, { userId }, ifAbsent('userId'));
}

/** The write that makes the hold's row match the state. */
export function holdMove(table: LegalHolds<'put' | 'remove'>, { userId, legalHold }: Erasure): TransactItem {
  return legalHold ? put(table, { userId, ...legalHold }) : remove(table, { userId });
}

type RepairTables = {
  readonly table: Erasures<'check'>;
  readonly holds: LegalHolds<'get' | 'put' | 'remove'>;
};

/**
 * After a restore: writes a hold that the state has. Like `repairAccount`, it writes nothing if the state has changed.
 * It lifts no hold.
 */
export async function repairHold({ table, holds }: RepairTables, erasure: Erasure): Promise<void> {
  const { userId, revision, legalHold } = erasure;
  if (!legalHold || (await isHeld(holds, userId))) return;
  const isStill = ifRevision('kind', revision);
  await transact([check(table, erasureKeyOf(userId), isStill), holdMove(holds, erasure)]);
}
