import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { type Entitlement, type EntitlementRow, entitlementOf } from '../rules/entitlement.ts';
import { type Item, readGroup } from './code-rows.ts';

/** Table `Entitlements`. Whether one was ended early stands with its code's group: to see it takes a GetItem more. */

export type EntitlementTables = { readonly Entitlements: string; readonly AccessCodeBatches: string };

/** All that a user has, as it stands now, oldest first: what other domains ask before they open what is unlocked. */
export async function readEntitlements(
  client: DynamoDBDocumentClient,
  tables: EntitlementTables,
  { userId, now }: { userId: string; now: Date },
): Promise<Entitlement[]> {
  const rows = await queryAll<EntitlementRow>(client, ofUser(tables.Entitlements, userId));
  return asTheyStand(client, tables, rows, now);
}

/** A page, newest first. @param after the `entitlementId` that the page before ended with */
export async function readEntitlementPage(
  client: DynamoDBDocumentClient,
  tables: EntitlementTables,
  { userId, limit, after, now }: { userId: string; limit: number; after: string | null; now: Date },
): Promise<{ entitlements: Entitlement[]; hasMore: boolean }> {
  const query = {
    ...ofUser(tables.Entitlements, userId),
    ScanIndexForward: false,
    ...(after !== null && { ExclusiveStartKey: { userId, entitlementId: after } }),
  };
  const { rows, hasMore } = await queryPage<EntitlementRow>(client, query, limit);
  return { entitlements: await asTheyStand(client, tables, rows, now), hasMore };
}

/** When which programme was unlocked, newest first, whatever became of it. @param page `after`: the `entitlementId` that the page before ended with */
export async function readRedemptions(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ redeemed: Pick<EntitlementRow, 'entitlementId' | 'programmeId' | 'redeemedAt'>[]; next: string | null }> {
  const query = {
    ...ofUser(table, userId),
    ScanIndexForward: false,
    ...(after !== null && { ExclusiveStartKey: { userId, entitlementId: after } }),
  };
  const { rows: redeemed, hasMore } = await queryPage<EntitlementRow>(client, query, limit);
  return { redeemed, next: hasMore ? (redeemed.at(-1)?.entitlementId ?? null) : null };
}

/** What a code has unlocked for who asks for it again: as of its redemption, where that was decided a moment later. */
export async function readEntitlement(
  client: DynamoDBDocumentClient,
  tables: EntitlementTables,
  { userId, entitlementId, now }: { userId: string; entitlementId: string; now: Date },
): Promise<Entitlement | null> {
  const Key = { userId, entitlementId };
  const found = await client.send(new GetCommand({ TableName: tables.Entitlements, Key, ConsistentRead: true }));
  const row = found.Item as EntitlementRow | undefined;
  if (!row) return null;
  const [there] = await asTheyStand(
    client,
    tables,
    [row],
    new Date(Math.max(now.getTime(), Date.parse(row.redeemedAt))),
  );
  return there ?? null;
}

export function putEntitlement(table: string, row: EntitlementRow): Item {
  return { Put: { TableName: table, Item: row, ConditionExpression: 'attribute_not_exists(userId)' } };
}

export function ofUser(TableName: string, userId: string) {
  return {
    TableName,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  };
}

function asTheyStand(
  client: DynamoDBDocumentClient,
  { AccessCodeBatches }: EntitlementTables,
  rows: readonly EntitlementRow[],
  now: Date,
): Promise<Entitlement[]> {
  return mapWithConcurrency(rows, 8, async (row) => {
    const { batchId, part } = row;
    const group = batchId && part ? await readGroup(client, AccessCodeBatches, { batchId, part }) : null;
    return entitlementOf(row, group, now);
  });
}
