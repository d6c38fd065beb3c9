import { randomUUID } from 'node:crypto';
import { writeEvent } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { userErasureRequested } from '../audit-actions.ts';

/**
 * The audit event of an administrator's request for somebody's erasure.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function auditRequest(
  table: AuditEvents<'put'>,
  { userId, ...occasion }: Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { userId: string },
): Promise<void> {
  const said = { action: userErasureRequested, subject: `user/${userId}`, before: null, after: null };
  const event = auditEvent({ ...said, ...occasion, realNow: new Date(), random: randomUUID() });
  await writeEvent(table, event);
}
