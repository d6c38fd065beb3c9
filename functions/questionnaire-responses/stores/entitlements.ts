import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Entitlement } from '../../questionnaires/rules/bundle.ts';

/**
 * Which programmes patients have: the seam to the domain that grants them. Until it is connected nobody has any: only bundles
 * that are always open are due, and nobody is reminded.
 */

/** Those of a user that were not revoked. */
export type EntitlementReader = (userId: string) => Promise<readonly Entitlement[]>;

export type Granted = Entitlement & { readonly userId: string };

/** Those of a programme that start on a date of UTC, page by page. */
export type StartReader = (programmeId: string, date: string) => AsyncIterable<Granted>;

export function entitlementReader(_client: DynamoDBDocumentClient, _tables: object): EntitlementReader {
  return async () => [];
}

export function startReader(_client: DynamoDBDocumentClient, _tables: object): StartReader {
  return async function* () {};
}
