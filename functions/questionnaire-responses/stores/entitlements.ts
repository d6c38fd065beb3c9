import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Entitlement } from '../../questionnaires/rules/bundle.ts';

/**
 * Which programmes a user has: the seam to the domain that grants them. Until it is connected nobody has any, and only bundles
 * that are always open are due.
 */
export type EntitlementReader = (userId: string) => Promise<readonly Entitlement[]>;

/** TODO of the merge: by `exports.ts` of access-codes, with the table that it needs among the `uses` of the routes. */
export function entitlementReader(_client: DynamoDBDocumentClient, _tables: object): EntitlementReader {
  return async () => [];
}
