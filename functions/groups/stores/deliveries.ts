import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import { type Broadcast, expiries } from '../rules/broadcast.ts';
import type { GroupMessageDeliveries } from '../tables.ts';

/** Table `GroupMessageDeliveries`: who got which broadcast, and whom it was no longer for. The row of a member decides. */

type Named = { readonly userId: string; readonly broadcastId: string };
export type Decided = 'posted' | 'skipped';

/** Strongly consistent; null where nothing is decided yet. */
export async function readDelivery(
  table: GroupMessageDeliveries<'get'>,
  { userId, broadcastId }: Named,
): Promise<Decided | null> {
  const row = await get(table, { userId, broadcastId });
  if (!row) return null;
  return row.skippedAt === undefined ? 'posted' : 'skipped';
}

/** The item of the transaction that posts it, or that says that it is not posted: it fails where either is decided. */
export function putDelivery(
  table: GroupMessageDeliveries<'put'>,
  userId: string,
  broadcast: Broadcast,
  { decided, realNow }: { readonly decided: Decided; readonly realNow: Date },
) {
  const { broadcastId, groupId } = broadcast;
  const expiresAt = expiries(broadcast).delivery;
  return put(
    table,
    { userId, broadcastId, groupId, [`${decided}At`]: realNow.toISOString(), expiresAt },
    ifAbsent('userId'),
  );
}
