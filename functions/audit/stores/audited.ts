import { randomUUID } from 'node:crypto';
import { type AuditEvent, type AuditOccasion, auditEvent, auditPut } from '../rules/audit-event.ts';

/** The item of a transaction that says who did what. */
export function audited(
  table: string,
  occasion: AuditOccasion,
  change: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>,
) {
  return auditPut(table, auditEvent({ ...occasion, ...change, random: randomUUID() }));
}
