import { randomUUID } from 'node:crypto';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { put, type TransactItem } from '../../../lib/runtime/rows.ts';
import { type AuditEvent, type AuditOccasion, auditEvent, type StoredEvent } from '../rules/audit-event.ts';
import type { AuditEvents } from '../tables.ts';

/** The item of a transaction that says who did what. */
export function audited(
  table: AuditEvents<'put'>,
  occasion: AuditOccasion,
  change: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>,
): TransactItem {
  return auditPut(table, auditEvent({ ...occasion, ...change, random: randomUUID() }));
}

/** The item of a transaction that appends the event; the route declares `append(AuditEvents)`. */
export function auditPut(table: AuditEvents<'put'>, event: AuditEvent): TransactItem {
  const row: StoredEvent = { ...event, action: event.action.name };
  return put(table, row, ifAbsent('application'));
}
