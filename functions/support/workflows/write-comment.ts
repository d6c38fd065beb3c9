import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Failure } from '../../../lib/runtime/failure.ts';
import { noticeItems } from '../../agent-board/exports.ts';
import { orderedId } from '../../agent-board/rules/board.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules/once.ts';
import { readPlace } from '../../questionnaires/exports.ts';
import { TicketClosed, TicketNotFound } from '../errors.ts';
import { answerNotice } from '../rules/answer-notice.ts';
import { answered, commentedByPatient, needsHours, noted } from '../rules/change.ts';
import { hoursIn } from '../rules/default-hours.ts';
import type { Comment, Ticket } from '../rules/ticket.ts';
import { readHours } from '../stores/site-hours.ts';
import { commentItems, readComment } from '../stores/ticket-rows.ts';
import { changeTicket } from './replace-ticket.ts';
import { changeByStaff, type StaffChange } from './staff-change.ts';

/** Comments: each with its ticket's change, and an answer with the message on the patient's board, or neither. */

type Written = { readonly ticket: Ticket; readonly comment: Comment };

type ByPatient = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'SupportTickets' | 'Sites' | 'IdempotencyKeys', string>>;
  readonly ticketId: string;
  readonly userId: string;
  readonly body: string;
  readonly now: Date;
  readonly requestId: string;
  readonly once: Once | null;
};

/**
 * @returns null where there is no such ticket of the patient's
 * @throws a Failure `TICKET_CLOSED`; as `changeTicket`; `IDEMPOTENCY_KEY_REUSED`
 */
export async function commentByPatient(said: ByPatient): Promise<Written | null> {
  const { client, tables, ticketId, userId, body, now, requestId, once } = said;
  const { SupportTickets: table, IdempotencyKeys } = tables;
  const by = { by: 'patient', authorId: userId, authorRole: 'patient', visibility: 'patient' } as const;
  const comment = commentOf({ ticketId, userId, ...by, body }, now);
  const { commentId } = comment;
  const memory = remembering(client, IdempotencyKeys, once);
  const decide = async (before: Ticket) => {
    if (before.userId !== userId) throw new Failure(TicketNotFound);
    if (await memory.isMade()) return null;
    const hours = needsHours.comment(before) ? await readHours(client, tables, before.siteId) : hoursIn();
    const after = commentedByPatient(before, { now, changeId: requestId, hours });
    if (!after) throw new Failure(TicketClosed);
    return { after, also: [...commentItems(table, comment), ...rememberedIn(IdempotencyKeys, once, { commentId })] };
  };
  const ticket = await changeTicket({ client, table, ticketId, changeId: requestId, decide });
  return ticket && writtenOf({ client, table }, ticket, memory.commentId() ?? comment);
}

type ByStaff = Omit<StaffChange, 'tables' | 'action' | 'next' | 'refusal' | 'said' | 'also' | 'isMade'> & {
  readonly tables: Readonly<
    Record<'SupportTickets' | 'Sites' | 'AuditEvents' | 'IdempotencyKeys' | 'Users' | 'AgentBoardMessages', string>
  >;
  /** The patient whose ticket it is. */
  readonly userId: string;
  readonly role: string;
  readonly visibility: Comment['visibility'];
  readonly body: string;
  readonly now: Date;
  readonly once: Once | null;
};

/**
 * @returns null where there is no such ticket
 * @throws as `changeByStaff`; `IDEMPOTENCY_KEY_REUSED`
 */
export async function commentByStaff(said: ByStaff): Promise<Written | null> {
  const { client, tables, ticketId, userId, role, visibility, body, now, once, ifMatch, occasion } = said;
  const { SupportTickets: table, IdempotencyKeys } = tables;
  const by = { by: 'support', authorId: occasion.actor, authorRole: role, visibility } as const;
  const comment = commentOf({ ticketId, userId, ...by, body }, now);
  const { commentId } = comment;
  const memory = remembering(client, IdempotencyKeys, once);
  const uuid = randomUUID();
  const notice = async () => {
    if (visibility === 'internal') return [];
    const { locale } = await readPlace(client, tables.Users, userId);
    const draft = { userId, authorId: 'support', ...answerNotice(locale) };
    return noticeItems(client, tables.AgentBoardMessages, draft, { now, uuid });
  };
  const stamp = { now, changeId: occasion.requestId };
  const ticket = await changeByStaff({
    ...{ client, tables, ticketId, ifMatch, occasion },
    action: visibility === 'internal' ? 'ticket.noted' : 'ticket.answered',
    next: (before) => (visibility === 'internal' ? noted(before, stamp) : answered(before, stamp)),
    refusal: TicketClosed,
    said: { commentId },
    also: async () => [
      ...commentItems(table, comment),
      ...(await notice()),
      ...rememberedIn(IdempotencyKeys, once, { commentId }),
    ],
    isMade: memory.isMade,
  });
  return ticket && writtenOf({ client, table }, ticket, memory.commentId() ?? comment);
}

function commentOf(said: Omit<Comment, 'commentId' | 'createdAt'>, now: Date): Comment {
  return { ...said, commentId: orderedId(now.getTime(), randomUUID()), createdAt: now.toISOString() };
}

function remembering(client: DynamoDBDocumentClient, table: string, once: Once | null) {
  let made: Readonly<Record<string, string>> | null = null;
  return {
    isMade: async () => {
      made = await recall(client, table, once);
      return made !== null;
    },
    commentId: () => made?.commentId ?? null,
  };
}

/** @param comment the one that was written, or the id of one that the same key has written before */
async function writtenOf(
  { client, table }: { client: DynamoDBDocumentClient; table: string },
  ticket: Ticket,
  comment: Comment | string,
): Promise<Written | null> {
  if (typeof comment !== 'string') return { ticket, comment };
  const first = await readComment(client, table, { ticketId: ticket.ticketId, commentId: comment });
  return first && { ticket, comment: first };
}
