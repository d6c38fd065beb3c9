import type { EntitlementRow, Holder } from './entitlement.ts';

/** Under which key an entitlement is found by its start. Pure. */

export type StartRow = { readonly start: string } & (EntitlementRow | Holder);

/** The users who start on a day are spread over these shards. So codes of a campaign that are redeemed at once are not all in one partition. */
export const startShards: readonly string[] = ['0', '1', '2', '3'];

/** The partition key. @param date of UTC: `2026-11-22` */
export function startKey(programmeId: string, date: string, shard: string): string {
  return `${programmeId}#${date}#${shard}`;
}

/** That of an entitlement: it follows from the row, so that the row leads to it. */
export function startOf({
  programmeId,
  startsAt,
  entitlementId,
}: Pick<EntitlementRow, 'programmeId' | 'startsAt' | 'entitlementId'>): string {
  return startKey(programmeId, startsAt.slice(0, 10), shardOf(entitlementId));
}

/** That of all who hold an entitlement by a code of a group. No programme is called so. */
export function holdersKey({ batchId, part }: { readonly batchId: string; readonly part: string }): string {
  return `group#${batchId}#${part}`;
}

export function shardOf(entitlementId: string): string {
  const sum = [...entitlementId].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return startShards[sum % startShards.length] ?? '0';
}
