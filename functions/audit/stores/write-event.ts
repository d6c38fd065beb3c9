import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { AuditEvent } from '../rules/audit-event.ts';
import type { AuditEvents } from '../tables.ts';
import { auditPut } from './audited.ts';

/**
 * Writes an event about something that changes no row. Write it first: what cannot be audited must not happen.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function writeEvent(table: AuditEvents<'put'>, event: AuditEvent): Promise<void> {
  await retryOnContention(async () => (await commit([auditPut(table, event)])) || contended);
}
