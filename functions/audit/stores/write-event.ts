import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { type AuditEvent, auditPut } from '../rules/audit-event.ts';

/**
 * Writes an event about something that changes no row. Write it first: what cannot be audited must not happen.
 *
 * @throws a Failure `UNAVAILABLE`
 */
export async function writeEvent(client: DynamoDBDocumentClient, table: string, event: AuditEvent): Promise<void> {
  if (!(await commit(client, [auditPut(table, event)]))) throw new Failure(Unavailable);
}
