import { randomUUID } from 'node:crypto';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules.ts';

/** Who changes something, in which application's name, when and by which request. */
export type Occasion = Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { readonly realNow: Date };

/** The item of a transaction. */
export function audited(
  table: string,
  occasion: Occasion,
  change: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>,
) {
  return auditPut(table, auditEvent({ ...occasion, ...change, random: randomUUID() }));
}

export function subjectOf(siteId: string, userId?: string): string {
  return userId === undefined ? `site/${siteId}` : `site/${siteId}/staff/${userId}`;
}
