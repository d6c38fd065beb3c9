import { isIdInRow } from '../../../lib/contract/id.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { get, put, type TransactItem } from '../../../lib/runtime/rows.ts';
import type { Holder } from '../rules/entitlement.ts';
import { holdersKey } from '../rules/entitlement-start.ts';
import type { EntitlementStarts } from '../tables.ts';

/**
 * Table `EntitlementStarts`, under the group of a code: who redeemed which, so that staff can end what the codes unlocked. A row is
 * written in the redemption's transaction, and deleted in that of the erasure. Every read is strongly consistent.
 */

type Group = { readonly batchId: string; readonly part: string };

export function putHolder(
  table: EntitlementStarts<'put'>,
  group: Group,
  { userId, entitlementId, accessCodeId }: Holder,
): TransactItem {
  return put(table, { start: holdersKey(group), entitlementId, userId, accessCodeId });
}

/** Up to 16, as many as a group has codes; more and others where somebody else than a redemption wrote rows. */
export function readHolders(table: EntitlementStarts<'query'>, group: Group): AsyncGenerator<Holder> {
  return queryEach<Holder>(table, inPartition({ start: holdersKey(group) }));
}

/** Whether a row names an entitlement that there can be. */
export function isHolder({ userId, entitlementId }: Partial<Holder>): boolean {
  return isIdInRow(userId) && isIdInRow(entitlementId);
}

/** Null if the user who redeemed the code was erased. */
export async function readHolder(
  table: EntitlementStarts<'get'>,
  group: Group,
  entitlementId: string,
): Promise<Holder | null> {
  return get<Holder>(table, { start: holdersKey(group), entitlementId });
}
