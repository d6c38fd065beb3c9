import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { committed } from '../../../lib/runtime/write-latest.ts';
import { orderedId } from '../../agent-board/rules/board.ts';
import { readOwnRelations, readSiteHours } from '../../crm-sites/exports.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules/once.ts';
import { opened } from '../rules/change.ts';
import { defaultZone, hoursOfSite } from '../rules/default-hours.ts';
import { ownTicket } from '../rules/shown.ts';
import { mainSiteOf } from '../rules/urgent-ticket.ts';
import { commentItems, readTicket, ticketItems } from '../stores/ticket-rows.ts';

type Tables = Readonly<Record<'SupportTickets' | 'CareRelations' | 'Sites' | 'IdempotencyKeys', string>>;

type Opening = {
  readonly userId: string;
  readonly subject: string;
  readonly body: string;
  readonly now: Date;
  readonly requestId: string;
  readonly once: Once | null;
};

/** @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `IDEMPOTENCY_KEY_REUSED` */
export async function openTicketOnce(
  client: DynamoDBDocumentClient,
  tables: Tables,
  { userId, subject, body, now, requestId, once }: Opening,
  options?: RetryOptions,
) {
  const table = tables.SupportTickets;
  const ticketId = orderedId(now.getTime(), randomUUID());
  const createdAt = now.toISOString();
  return retryOnContention(async (attempt) => {
    const [made, relations] = await Promise.all([
      recall(client, tables.IdempotencyKeys, once),
      readOwnRelations(client, tables.CareRelations, userId),
    ]);
    if (made) {
      const { ticketId: first = '', createdAt: at = '' } = made;
      return { ticketId: first, subject, state: 'new' as const, createdAt: at, updatedAt: at, solvedAt: null };
    }
    // DynamoDB may still have been at the last try when it refused the SDK's repetition of it.
    const tried = attempt === 0 ? null : await readTicket(client, table, ticketId);
    if (tried) return ownTicket(tried, now);
    const siteId = mainSiteOf(relations);
    const site = siteId === null ? null : await readSiteHours(client, tables.Sites, siteId);
    const place = site
      ? { siteId: site.siteId, timezone: site.timezone, hours: hoursOfSite(site, now) }
      : { siteId: null, timezone: defaultZone };
    const ticket = opened({ ticketId, userId, subject, ...place }, { now, changeId: requestId });
    const by = { by: 'patient', authorId: userId, authorRole: 'patient', visibility: 'patient' } as const;
    const isWritten = await committed(client, [
      ...ticketItems(table, null, ticket),
      ...commentItems(table, { commentId: ticketId, ticketId, userId, ...by, body, createdAt }),
      ...rememberedIn(tables.IdempotencyKeys, once, { ticketId, createdAt }),
    ]);
    return isWritten ? ownTicket(ticket, now) : contended;
  }, options);
}
