import { randomUUID } from 'node:crypto';
import { put, type TransactItem } from '../../../lib/runtime/rows.ts';
import type { TableHandle } from '../../../lib/runtime/table-handle.ts';
import { type AuditEvent, type AuditOccasion, auditEvent, type StoredEvent } from '../rules/audit-event.ts';

/** The item of a transaction that says who did what. */
export function audited(
  table: TableHandle,
  occasion: AuditOccasion,
  change: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>,
): TransactItem {
  return auditPut(table, auditEvent({ ...occasion, ...change, random: randomUUID() }));
}

/** The item of a transaction that appends the event; the route declares `append(AuditEvents)`. */
export function auditPut(table: TableHandle, event: AuditEvent): TransactItem {
  const row: StoredEvent = { ...event, action: event.action.name };
  return put(table, row, { ConditionExpression: 'attribute_not_exists(application)' });
}
