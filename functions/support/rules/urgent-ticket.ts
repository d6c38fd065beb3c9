import { nameBasedId } from '../../questionnaires/rules.ts';

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

const acknowledgedWithinMs = 3_600_000;

/** Follows from response and flag: however often its record is delivered, it is one ticket. */
export function urgentTicketId({ responseId, flagId }: Pick<UrgentTicket, 'responseId' | 'flagId'>): string {
  return nameBasedId('urgent-ticket', responseId, flagId);
}

export type RaisedFlag = Pick<
  UrgentTicket,
  'userId' | 'flagId' | 'responseId' | 'raisedAt' | 'recordedAt' | 'receivedAt'
>;

/** Whose a ticket is. `isSure`: a physician surely works at the site; otherwise `clinical-safety` has the ticket from the start, too. */
export type Place = { readonly siteId: string | null; readonly isSure: boolean };

export const nobodysSite: Place = { siteId: null, isSure: false };

export function urgentTicket(flag: RaisedFlag, place: Place): UrgentTicket {
  const { userId, flagId, responseId, raisedAt, recordedAt, receivedAt } = flag;
  const times = { raisedAt, recordedAt, receivedAt };
  const ticket = { ticketId: urgentTicketId({ responseId, flagId }), userId, flagId, responseId, ...times };
  const hourAfter = new Date(Date.parse(raisedAt) + acknowledgedWithinMs).toISOString();
  return placed({ ...ticket, siteId: null, dueAt: hourAfter, acknowledgedAt: null, acknowledgedBy: null }, place);
}

/** @returns the same object where it is there already. What `clinical-safety` has on its list stays there */
export function placed(ticket: UrgentTicket, { siteId, isSure }: Place): UrgentTicket {
  const dueAt = siteId === null || isSure ? ticket.dueAt : ticket.raisedAt;
  return siteId === ticket.siteId && dueAt === ticket.dueAt ? ticket : { ...ticket, siteId, dueAt };
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
