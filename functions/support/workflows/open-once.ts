import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { CareRelations } from '../../access/data-subject.ts';
import { orderedId } from '../../agent-board/rules.ts';
import { readOwnRelations } from '../../crm-sites/exports.ts';
import type { Sites } from '../../crm-sites/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { TicketLimitReached } from '../errors.ts';
import { opened } from '../rules/change.ts';
import { ownTicket } from '../rules/shown.ts';
import { mainSiteOf } from '../rules/urgent-ticket.ts';
import { readHours } from '../stores/site-hours.ts';
import { commentItems, hasMostUnsolved, ticketItems } from '../stores/ticket-rows.ts';
import type { SupportTickets } from '../tables.ts';

type NewTicketTables = {
  readonly SupportTickets: SupportTickets<'get' | 'put' | 'update' | 'remove'>;
  readonly CareRelations: CareRelations<'query'>;
  readonly Sites: Sites<'get'>;
  readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
};

type Opening = {
  readonly userId: string;
  readonly subject: string;
  readonly body: string;
  readonly now: Date;
  readonly requestId: string;
  readonly once: Once | null;
};

/** @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `TICKET_LIMIT_REACHED`; `IDEMPOTENCY_KEY_REUSED` */
export async function openTicketOnce(
  tables: NewTicketTables,
  { userId, subject, body, now, requestId, once }: Opening,
  options: RetryOptions = { retries: 10 },
) {
  const table = tables.SupportTickets;
  const ticketId = orderedId(now.getTime(), randomUUID());
  const createdAt = now.toISOString();
  return retryOnContention(async () => {
    const [made, relations, isFull] = await Promise.all([
      recall(tables.IdempotencyKeys, once),
      readOwnRelations(tables.CareRelations, userId),
      hasMostUnsolved(table, userId),
    ]);
    const asMade = ({ ticketId: first = '', createdAt: at = '' }: NonNullable<typeof made>) => {
      return { ticketId: first, subject, state: 'new' as const, createdAt: at, updatedAt: at, solvedAt: null };
    };
    if (made) return asMade(made);
    if (isFull) {
      // The same request, sent a second time, may have opened the last ticket between the two reads.
      const meanwhile = await recall(tables.IdempotencyKeys, once);
      if (meanwhile) return asMade(meanwhile);
      throw new Failure(TicketLimitReached);
    }
    const siteId = mainSiteOf(relations);
    const hours = await readHours(tables, siteId);
    const ticket = opened({ ticketId, userId, subject, siteId }, { now, changeId: requestId, hours });
    const by = { by: 'patient', authorId: userId, authorRole: 'patient', visibility: 'patient' } as const;
    const isWritten = await commit([
      ...ticketItems(table, null, ticket),
      ...commentItems(table, { commentId: ticketId, ticketId, userId, ...by, body, createdAt }),
      ...rememberedIn(tables.IdempotencyKeys, once, { ticketId, createdAt }),
    ]);
    return isWritten ? ownTicket(ticket, now) : contended;
  }, options);
}
