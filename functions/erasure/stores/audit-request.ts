import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules.ts';
import { userErasureRequested } from '../audit-actions.ts';

/** The audit event of an administrator's request for somebody's erasure. */
export async function auditRequest(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, ...occasion }: Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { userId: string },
): Promise<void> {
  const said = { action: userErasureRequested, subject: `user/${userId}`, before: null, after: null };
  const event = auditEvent({ ...said, ...occasion, realNow: new Date(), random: randomUUID() });
  await client.send(new TransactWriteCommand({ TransactItems: [auditPut(table, event)] }));
}
