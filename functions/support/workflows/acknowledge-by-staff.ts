import { randomUUID } from 'node:crypto';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { auditPut } from '../../audit/exports.ts';
import { auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { urgentTicketAcknowledged } from '../audit-actions.ts';
import { checkSite } from '../rules/unfit-row.ts';
import type { UrgentTicket } from '../rules/urgent-ticket.ts';
import { acknowledgeItems, readUrgentTicket } from '../stores/urgent-rows.ts';
import type { UrgentTickets } from '../tables.ts';

type Acknowledging = {
  readonly ticketId: string;
  readonly at: Date;
  readonly by: string;
  /** For the transaction that acknowledges it. */
  readonly also?: (after: UrgentTicket) => Items;
  /** Whether it is the caller's to acknowledge. */
  readonly mayBe?: (ticket: UrgentTicket) => boolean;
};

/**
 * The first person who acknowledges a ticket stays recorded.
 *
 * @returns the ticket, with who acknowledged it; null where there is none, or it is not the caller's to acknowledge
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; a TypeError at a ticket that no honest function wrote
 */
export async function acknowledge(
  table: UrgentTickets<'get' | 'put' | 'remove'>,
  { ticketId, at, by, also = () => [], mayBe = () => true }: Acknowledging,
  options?: RetryOptions,
): Promise<UrgentTicket | null> {
  return retryOnContention(async () => {
    const ticket = await readUrgentTicket(table, ticketId);
    if (!ticket || !mayBe(ticket)) return null;
    if (ticket.acknowledgedAt !== null) return ticket;
    checkSite(ticket);
    const after = { ...ticket, acknowledgedAt: at.toISOString(), acknowledgedBy: by };
    return (await commit([...acknowledgeItems(table, ticket, after), ...also(after)])) ? after : contended;
  }, options);
}

type ByStaff = Omit<Acknowledging, 'by' | 'also'> & {
  readonly occasion: Pick<Parameters<typeof auditEvent>[0], 'application' | 'actor' | 'requestId' | 'realNow'>;
};

/** The same with its audit event. */
export async function acknowledgeByStaff(
  tables: {
    readonly UrgentTickets: UrgentTickets<'get' | 'put' | 'remove'>;
    readonly AuditEvents: AuditEvents<'put'>;
  },
  { occasion, ...acknowledging }: ByStaff,
): Promise<UrgentTicket | null> {
  const also = ({ ticketId, acknowledgedAt }: UrgentTicket): Items => {
    const said = { action: urgentTicketAcknowledged, subject: `urgent-ticket/${ticketId}`, before: null };
    return [
      auditPut(
        tables.AuditEvents,
        auditEvent({ ...occasion, ...said, after: { acknowledgedAt }, random: randomUUID() }),
      ),
    ];
  };
  const by = occasion.actor;
  return acknowledge(tables.UrgentTickets, { ...acknowledging, by, also });
}
