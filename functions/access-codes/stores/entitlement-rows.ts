import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, type TransactItem, update } from '../../../lib/runtime/rows.ts';
import { type Entitlement, type EntitlementRow, entitlementOf } from '../rules/entitlement.ts';
import type { Entitlements } from '../tables.ts';

/** Table `Entitlements`. A row says all of an entitlement, also that staff ended it early. Every read is strongly consistent. */

type EntitlementTables = { readonly Entitlements: Entitlements<'query'> };

/** All that a user has, as it stands now, oldest first: what other domains ask before they open what is unlocked. */
export async function readEntitlements(
  tables: EntitlementTables,
  { userId, now }: { userId: string; now: Date },
): Promise<Entitlement[]> {
  const rows = await queryAll(tables.Entitlements, inPartition({ userId }));
  return rows.filter(isGranted).map((row) => entitlementOf(row, now));
}

/** A page, newest first. @param after the `entitlementId` that the page before ended with */
export async function readEntitlementPage(
  tables: EntitlementTables,
  { userId, limit, after, now }: { userId: string; limit: number; after: string | null; now: Date },
): Promise<{ entitlements: Entitlement[]; next: string | null }> {
  const { rows, next } = await queryPage(tables.Entitlements, newestFirst(userId, after), limit);
  return { entitlements: rows.filter(isGranted).map((row) => entitlementOf(row, now)), next };
}

/** When which programme was unlocked, newest first, whatever became of it. @param page `after`: the `entitlementId` that the page before ended with */
export async function readRedemptions(
  table: Entitlements<'query'>,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ redeemed: Pick<EntitlementRow, 'entitlementId' | 'programmeId' | 'redeemedAt'>[]; next: string | null }> {
  const { rows: redeemed, next } = await queryPage(table, newestFirst(userId, after), limit);
  return { redeemed, next };
}

/** What a code has unlocked for a user who enters it again: as of its redemption, even if that was decided a moment later. */
export async function readEntitlement(
  tables: { readonly Entitlements: Entitlements<'get'> },
  { userId, entitlementId, now }: { userId: string; entitlementId: string; now: Date },
): Promise<Entitlement | null> {
  const row = await get(tables.Entitlements, { userId, entitlementId });
  return row && isGranted(row)
    ? entitlementOf(row, new Date(Math.max(now.getTime(), Date.parse(row.redeemedAt))))
    : null;
}

/** An update also makes rows: one that has only an end has unlocked nothing. */
function isGranted(row: Partial<EntitlementRow>): boolean {
  return row.startsAt !== undefined && row.endsAt !== undefined;
}

/** Its id is new: the rest of the transaction refuses a redemption that comes again. */
export function putEntitlement(table: Entitlements<'put'>, row: EntitlementRow): TransactItem {
  return put(table, row);
}

/** Of somebody who was not erased. An earlier end stays, and so does the same one; what is no end that a reader believes does not. */
export function endEntitlement(
  table: Entitlements<'update'>,
  { userId, entitlementId }: Pick<EntitlementRow, 'userId' | 'entitlementId'>,
  at: string,
): TransactItem {
  return update(
    table,
    { userId, entitlementId },
    {
      UpdateExpression: 'SET endedAt = :at',
      ConditionExpression: 'attribute_exists(userId) AND NOT endedAt <= :at',
      ExpressionAttributeValues: { ':at': at },
    },
  );
}

function newestFirst(userId: string, after: string | null) {
  return { ...inPartition({ userId }, { entitlementId: all }, after), ScanIndexForward: false };
}
