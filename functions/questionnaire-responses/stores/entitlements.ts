import { readEntitlement, readEntitlements, readStarts } from '../../access-codes/exports.ts';
import type { Entitlement } from '../../questionnaires/rules.ts';

/**
 * Reads the patients' entitlements from the domain that grants them. An entitlement that was ended early has its
 * earlier end.
 */

export type EntitlementReader = (userId: string) => Promise<readonly Entitlement[]>;

/** One entitlement; null if the user has none with this id. */
export type EntitlementFinder = (userId: string, entitlementId: string) => Promise<Entitlement | null>;

type Granted = Entitlement & { readonly userId: string };

/**
 * The entitlements of a programme that start on a UTC date, as they were granted; page by page, beginning after a given
 * one.
 */
export type StartReader = (programmeId: string, date: string, after: string | null) => AsyncIterable<Granted>;

export function entitlementReader(tables: Parameters<typeof readEntitlements>[0], now: Date): EntitlementReader {
  return (userId) => readEntitlements(tables, { userId, now });
}

export function entitlementFinder(tables: Parameters<typeof readEntitlement>[0], now: Date): EntitlementFinder {
  return (userId, entitlementId) => readEntitlement(tables, { userId, entitlementId, now });
}

export function startReader(tables: Parameters<typeof readStarts>[0]): StartReader {
  return (programmeId, date, after) => readStarts(tables, { programmeId, date, after });
}
