import { randomUUID } from 'node:crypto';
import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import type { RetryOptions } from '../../../lib/runtime/retry-on-contention.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditOccasion, auditEvent, changedFields } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import type { Sites } from '../../crm-sites/tables.ts';
import type { TicketClosed, TicketTransitionRefused } from '../errors.ts';
import type { BusinessHours } from '../rules/business-hours.ts';
import { hoursIn } from '../rules/default-hours.ts';
import type { Ticket } from '../rules/ticket.ts';
import { readHours } from '../stores/site-hours.ts';
import type { SupportTickets } from '../tables.ts';
import { assertSeen, changeTicket } from './replace-ticket.ts';

/** What staff does to a ticket: with its audit event, which says nothing of any text. */

export type StaffChange = {
  readonly tables: {
    readonly SupportTickets: SupportTickets<'get' | 'put' | 'update' | 'remove'>;
    readonly AuditEvents: AuditEvents<'put'>;
    readonly Sites: Sites<'get'>;
  };
  readonly ticketId: string;
  readonly ifMatch: string | undefined;
  readonly occasion: AuditOccasion;
  readonly action: AuditAction;
  /** Whether due times are computed, for which the hours of the site are read; never unless given. */
  readonly needsHours?: (before: Ticket) => boolean;
  /** Null: the ticket does not take it. The very same ticket: there is nothing to change. */
  readonly next: (before: Ticket, hours: BusinessHours) => Ticket | null;
  readonly refusal: typeof TicketClosed | typeof TicketTransitionRefused;
  /** What the audit event says beside what changed. */
  readonly said?: Readonly<Record<string, string>>;
  /** Written with it. Called for each try. */
  readonly also?: (after: Ticket) => Promise<Items>;
  /** Whether it has been made already, so that nothing is left to do. Asked at each try, first of all, with its number. */
  readonly isMade?: (attempt: number) => Promise<boolean>;
};

/** @throws as `changeTicket`; a Failure of the precondition, and the refusal */
export async function changeByStaff(change: StaffChange, options?: RetryOptions): Promise<Ticket | null> {
  const { tables, ticketId, ifMatch, occasion, action, next, refusal, said = {}, also, isMade } = change;
  const { needsHours = () => false } = change;
  const decide = async (before: Ticket, attempt: number) => {
    if (await isMade?.(attempt)) return null;
    assertSeen(before, ifMatch);
    const hours = needsHours(before) ? await readHours(tables, before.siteId) : hoursIn();
    const after = next(before, hours);
    if (!after) throw new Failure(refusal);
    if (after === before) return null;
    const changed = changedFields(audited(before), audited(after));
    const event = auditEvent({
      ...occasion,
      action,
      subject: `ticket/${ticketId}`,
      before: changed.before,
      after: { ...changed.after, ...said },
      random: randomUUID(),
    });
    return { after, also: [...((await also?.(after)) ?? []), auditPut(tables.AuditEvents, event)] };
  };
  const named = { table: tables.SupportTickets, ticketId, changeId: occasion.requestId };
  return changeTicket({ ...named, decide }, options);
}

function audited({ state, priority, assigneeId }: Ticket) {
  return { state, priority, assigneeId };
}
