import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditPut } from '../rules/audit-event.ts';

/**
 * Writes an event about something that changes no row. Write it first: what cannot be audited must not happen.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function writeEvent(client: DynamoDBDocumentClient, table: string, event: AuditEvent): Promise<void> {
  await retryOnContention(async () => (await commit(client, [auditPut(table, event)])) || contended);
}
