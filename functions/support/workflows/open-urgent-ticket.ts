import type { Accounts } from '../../../lib/contract/accounts.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Handle, handleNamed, type TableHandle } from '../../../lib/runtime/table-handle.ts';
import { type Reads, readPerson, reportedBy } from '../../access/reads.ts';
import { dataSharing } from '../../product.ts';
import { readAcknowledgement } from '../../questionnaire-responses/exports.ts';
import { urgentTicketId } from '../../questionnaire-responses/rules.ts';
import type { FlagDecisions } from '../../questionnaire-responses/tables.ts';
import { mainSiteOf, type RaisedFlag, type UrgentTicket, urgentTicket } from '../rules/urgent-ticket.ts';
import { type AttendanceTables, readIsAttended } from '../stores/site-attendance.ts';
import { openUrgentItems, readUrgentTicket } from '../stores/urgent-rows.ts';
import type { UrgentTickets } from '../tables.ts';
import { acknowledge } from './acknowledge-by-staff.ts';

export type UrgentTicketDependencies = Reads & {
  readonly tables: AttendanceTables & {
    readonly UrgentTickets: UrgentTickets<'get' | 'put' | 'remove'>;
    readonly Accounts: Handle<typeof Accounts, 'check'>;
  };
  /** The business rules' time; null where the function does not know it. */
  readonly now: Date | null;
};

/** @param tables of a consumer that declares all of them */
export function dependenciesOf<T extends Readonly<Record<string, TableHandle>>>(
  tables: T,
  log: Parameters<typeof reportedBy>[0],
  now: UrgentTicketDependencies['now'],
): Reads & { readonly tables: T; readonly now: Date | null } {
  return { tables, handleOf: ({ name }) => handleNamed(tables, name), inDoubt: reportedBy(log), now };
}

/**
 * Opens the ticket of a flag: once, however often its record is delivered. Relation and consent are those of this moment; without them,
 * where the consent is in doubt, or where the site is closed or no physician works there, it is for `clinical-safety`.
 *
 * @returns whether this call opened it; false also where the person's account is closed, whose flag is still on the list of flags
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function openUrgentTicket(
  deps: UrgentTicketDependencies,
  flag: RaisedFlag,
  options?: RetryOptions,
): Promise<boolean> {
  return openAs(deps, flag, noAcknowledgement, options);
}

type Acknowledged = { readonly flag: RaisedFlag; readonly at: string; readonly by: string };

/**
 * Acknowledging the flag also acknowledges its ticket. The flag's own record may come later, if it could not be consumed and is
 * replayed. Then the ticket is written as acknowledged. The record later finds it, and raises no alarm.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function settleUrgentTicket(
  deps: UrgentTicketDependencies,
  { flag, at, by }: Acknowledged,
  options?: RetryOptions,
) {
  const { tables } = deps;
  const settle = () =>
    acknowledge(tables.UrgentTickets, { ticketId: urgentTicketId(flag), at: new Date(at), by }, options);
  if (await settle()) return;
  const isWritten = await openAs(deps, flag, { acknowledgedAt: at, acknowledgedBy: by }, options);
  // The flag's record was first after all.
  if (!isWritten) await settle();
}

/**
 * The same where the flag's row says that somebody has acknowledged it, and the decision's own row says so, too. What only
 * the flag's row says settles nothing: more functions write it than may acknowledge.
 */
export async function settleDecided(
  deps: UrgentTicketDependencies,
  decisions: FlagDecisions<'get'>,
  flag: RaisedFlag,
): Promise<void> {
  const decision = await readAcknowledgement(decisions, flag);
  if (decision) await settleUrgentTicket(deps, { flag, ...decision });
}

const noAcknowledgement = { acknowledgedAt: null, acknowledgedBy: null };

async function openAs(
  deps: UrgentTicketDependencies,
  flag: RaisedFlag,
  acknowledgement: Pick<UrgentTicket, 'acknowledgedAt' | 'acknowledgedBy'>,
  options?: RetryOptions,
): Promise<boolean> {
  const { tables } = deps;
  const { UrgentTickets: table, Accounts: accounts } = tables;
  const { userId } = flag;
  const attempt = async () => {
    if (await readUrgentTicket(table, urgentTicketId(flag))) return false;
    const { isOpen, sites, consent } = await readPerson(deps, userId, dataSharing);
    // Once it is erased, nothing refuses the write any more.
    if (!isOpen) return false;
    const main = consent ? mainSiteOf(sites) : null;
    const siteId = main !== null && (await readIsAttended(tables, main)) ? main : null;
    const ticket = { ...urgentTicket(flag, siteId, deps.now), ...acknowledgement };
    return (await commit(openUrgentItems(table, ticket))) ? true : contended;
  };
  try {
    return await whileOpen({ table: accounts, userId }, () => retryOnContention(attempt, options));
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return false;
    throw error;
  }
}
