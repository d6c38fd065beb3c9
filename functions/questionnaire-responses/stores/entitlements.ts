import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readEntitlement, readEntitlements, readStarts } from '../../access-codes/exports.ts';
import type { Entitlement } from '../../questionnaires/rules/bundle.ts';

/** Which programmes patients have: asked of the domain that grants them. One that was ended early has its earlier end. */

export type EntitlementReader = (userId: string) => Promise<readonly Entitlement[]>;

/** One of them; null where the user has none of that id. */
export type EntitlementFinder = (userId: string, entitlementId: string) => Promise<Entitlement | null>;

export type Granted = Entitlement & { readonly userId: string };

/** What was granted, and, for whoever needs it, how that stands now: null where the user was erased since. */
export type Start = { readonly granted: Granted; readonly asItStands: () => Promise<Granted | null> };

/** Those of a programme that start on a date of UTC, page by page, from after one of them on. */
export type StartReader = (programmeId: string, date: string, after: string | null) => AsyncIterable<Start>;

export function entitlementReader(
  client: DynamoDBDocumentClient,
  tables: Parameters<typeof readEntitlements>[1],
  now: Date,
): EntitlementReader {
  return (userId) => readEntitlements(client, tables, { userId, now });
}

export function entitlementFinder(
  client: DynamoDBDocumentClient,
  tables: Parameters<typeof readEntitlement>[1],
  now: Date,
): EntitlementFinder {
  return (userId, entitlementId) => readEntitlement(client, tables, { userId, entitlementId, now });
}

export function startReader(
  client: DynamoDBDocumentClient,
  tables: Parameters<typeof readStarts>[1],
  now: Date,
): StartReader {
  return (programmeId, date, after) => readStarts(client, tables, { programmeId, date, now, after });
}
