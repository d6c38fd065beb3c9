import type { AuditAction } from '../../../lib/contract/audit-actions.ts';

/**
 * What administrators do leaves an audit event, in the same transaction as the change itself: there is no change without
 * one, and no event of a change that failed. Pure: ids and times are arguments.
 */

export type AuditEvent = {
  /** The application whose administrator it was. */
  application: string;
  /** Increases with time: `20261121T093000123Z-<random>`. */
  eventId: string;
  /** Real time, whatever the time machine says. */
  at: string;
  /** The `userId` of a member of staff: events are kept for good, so a patient is never the actor. */
  actor: string;
  action: AuditAction;
  /** To what: `agreement-version/terms-2.0`. */
  subject: string;
  requestId: string;
  /** What the change is about, before and after; null where there was nothing or is nothing. No personal data. */
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
};

/** As it is stored and shown: with the name of what was done, `agreement-version.published`. */
export type StoredEvent = Omit<AuditEvent, 'action'> & { readonly action: string };

/** Who changes something, in which application's name, when and by which request. */
export type AuditOccasion = Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { readonly realNow: Date };

type NewAuditEvent = Omit<AuditEvent, 'eventId' | 'at'> & { readonly realNow: Date; readonly random: string };

/** @param occasion `random` (a UUID) tells events of one millisecond apart */
export function auditEvent({ realNow, random, ...said }: NewAuditEvent): AuditEvent {
  return { ...said, eventId: `${eventIdAt(realNow)}-${random.slice(0, 8)}`, at: realNow.toISOString() };
}

/** What the ids of a millisecond begin with. */
export function eventIdAt(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
