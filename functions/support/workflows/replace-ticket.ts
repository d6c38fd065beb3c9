import { PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { preconditionOf } from '../../audit/rules.ts';
import type { Ticket } from '../rules/ticket.ts';
import { readTicket, rowItems, ticketItems } from '../stores/ticket-rows.ts';
import type { SupportTickets } from '../tables.ts';

type Change<Table> = {
  readonly table: Table;
  readonly ticketId: string;
  /** New for each request. */
  readonly changeId: string;
  /**
   * The ticket after the change, and what is written with it; null: nothing. Called for each try with its number, from 0, on what is there then.
   *
   * @throws a Failure where it is not possible
   */
  readonly decide: (before: Ticket, attempt: number) => Promise<{ after: Ticket; also: Items } | null>;
};

/**
 * Reads a ticket, decides and writes, and does this again if another writer was first.
 *
 * @returns the ticket after it; null where there is none
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; what `decide` throws
 */
export async function changeTicket(
  change: Change<SupportTickets<'get' | 'put' | 'update' | 'remove'>>,
  options?: RetryOptions,
): Promise<Ticket | null> {
  return replace(change, (before, after) => ticketItems(change.table, before, after), options);
}

/** The same for a change after which as many tickets are unsolved as before it. */
export async function changeUncounted(
  change: Change<SupportTickets<'get' | 'put' | 'remove'>>,
  options?: RetryOptions,
): Promise<Ticket | null> {
  return replace(change, (before, after) => rowItems(change.table, before, after), options);
}

async function replace(
  { table, ticketId, changeId, decide }: Change<SupportTickets<'get'>>,
  itemsOf: (before: Ticket, after: Ticket) => Items,
  options: RetryOptions = { retries: 10 },
): Promise<Ticket | null> {
  return retryOnContention(async (attempt) => {
    const before = await readTicket(table, ticketId);
    // DynamoDB may still have been at the last try when it refused the SDK's repetition of it.
    if (!before || before.changeId === changeId) return before;
    const decided = await decide(before, attempt);
    if (!decided) return before;
    const { after, also } = decided;
    return (await commit([...itemsOf(before, after), ...also])) ? after : contended;
  }, options);
}

/**
 * Of two of the staff who answer at once, the second has to look again: so has who did not see what the patient wrote meanwhile.
 *
 * @throws a Failure `PRECONDITION_REQUIRED` or `PRECONDITION_FAILED`
 */
export function assertSeen({ revision }: Ticket, ifMatch: string | undefined): void {
  const precondition = preconditionOf(revision, { ifMatch, ifNoneMatch: undefined });
  if (precondition === 'missing') throw new Failure(PreconditionRequired);
  if (precondition === 'failed') throw new Failure(PreconditionFailed);
}
