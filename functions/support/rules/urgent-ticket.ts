import { isToCome } from '../../../lib/contract/instant.ts';
import { urgentTicketId } from '../../questionnaire-responses/rules.ts';
import type { Key } from './ticket.ts';

/** The ticket of a flag that a questionnaire raised: ids and times, and nothing of what was answered. Pure. */

export type UrgentTicket = {
  readonly ticketId: string;
  /** Whom it is about. */
  readonly userId: string;
  readonly flagId: string;
  readonly responseId: string;
  /** Whose staff sees to it; null: the role `clinical-safety` from the start. */
  readonly siteId: string | null;
  readonly raisedAt: string;
  /** When the patient wrote the answers, and when they arrived. */
  readonly recordedAt: string;
  readonly receivedAt: string;
  /** The time from which the role `clinical-safety` is also responsible. */
  readonly dueAt: string;
  readonly acknowledgedAt: string | null;
  readonly acknowledgedBy: string | null;
};

/** A ticket by itself, or on a list until somebody acknowledges it. */
export type UrgentRow = Key & UrgentTicket;
/** A patient's ticket. */
export type OwnerRow = Key & { readonly ticketId: string };

const acknowledgedWithinMs = 3_600_000;

export type RaisedFlag = Pick<
  UrgentTicket,
  'userId' | 'flagId' | 'responseId' | 'raisedAt' | 'recordedAt' | 'receivedAt'
>;

/**
 * @param siteId whose it is
 * @param now a flag that was raised later was planted, and counts as raised now: else nobody would see the ticket; null where the business
 * rules' time is not known
 */
export function urgentTicket(flag: RaisedFlag, siteId: UrgentTicket['siteId'], now: Date | null): UrgentTicket {
  const { userId, flagId, responseId, recordedAt, receivedAt } = flag;
  const raisedAt = now && isToCome(flag.raisedAt, now) ? now.toISOString() : flag.raisedAt;
  const times = { raisedAt, recordedAt, receivedAt };
  const ticket = { ticketId: urgentTicketId({ responseId, flagId }), userId, flagId, responseId, ...times };
  const dueAt = new Date(Date.parse(raisedAt) + acknowledgedWithinMs).toISOString();
  return { ...ticket, siteId, dueAt, acknowledgedAt: null, acknowledgedBy: null };
}

/**
 * The ticket with the times that its flag gives it. Of a flag of a time to come it keeps its own, if that has come: else each comparison
 * would put it off.
 *
 * @returns the ticket itself where it has them
 */
export function dated(ticket: UrgentTicket, flag: RaisedFlag, now: Date): UrgentTicket {
  const isKept = isToCome(flag.raisedAt, now) && !isToCome(ticket.raisedAt, now);
  const raised = { ...flag, raisedAt: isKept ? ticket.raisedAt : flag.raisedAt };
  const { raisedAt, recordedAt, receivedAt, dueAt } = urgentTicket(raised, ticket.siteId, now);
  const times = { raisedAt, recordedAt, receivedAt, dueAt };
  const names = Object.keys(times) as (keyof typeof times)[];
  return names.every((name) => times[name] === ticket[name]) ? ticket : { ...ticket, ...times };
}

/** From when on `clinical-safety` has it on its list. */
export function escalatesAt({ siteId, raisedAt, dueAt }: UrgentTicket): string {
  return siteId === null ? raisedAt : dueAt;
}

export type RelationOf = { readonly siteId: string; readonly since: string; readonly isMain?: boolean };

/** The site that the patient chose as the main one; where none was chosen, the one that the patient has been with for longest. */
export function mainSiteOf(relations: readonly RelationOf[]): string | null {
  const [oldest] = relations.toSorted((one, other) => (one.since < other.since ? -1 : 1));
  return (relations.find(({ isMain }) => isMain === true) ?? oldest)?.siteId ?? null;
}
