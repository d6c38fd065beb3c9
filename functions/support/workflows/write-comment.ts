import { randomUUID } from 'node:crypto';
import type { Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { noticeItems } from '../../agent-board/exports.ts';
import { orderedId } from '../../agent-board/rules.ts';
import type { AgentBoardMessages } from '../../agent-board/tables.ts';
import type { Sites } from '../../crm-sites/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { readLocaleAndZone } from '../../questionnaires/exports.ts';
import type { Users } from '../../users/tables.ts';
import { ticketAnswered, ticketNoted } from '../audit-actions.ts';
import { TicketClosed, TicketNotFound } from '../errors.ts';
import { answerNotice } from '../rules/answer-notice.ts';
import { answered, commentedByPatient, needsHours, noted } from '../rules/change.ts';
import { hoursIn } from '../rules/default-hours.ts';
import type { Comment, Ticket } from '../rules/ticket.ts';
import { readHours } from '../stores/site-hours.ts';
import { commentItems, readComment } from '../stores/ticket-rows.ts';
import type { SupportTickets } from '../tables.ts';
import { changeTicket } from './replace-ticket.ts';
import { changeByStaff, type StaffChange } from './staff-change.ts';

/** Comments: each with its ticket's change, and an answer with the message on the patient's board, or neither. */

/** `revision`: of the ticket right after the comment, and not of what was written on it since. */
type Written = { readonly comment: Comment; readonly revision: number };

type ByPatient = {
  readonly tables: {
    readonly SupportTickets: SupportTickets<'get' | 'put' | 'update' | 'remove'>;
    readonly Sites: Sites<'get'>;
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
  };
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
  const { tables, ticketId, userId, body, now, requestId, once } = said;
  const { SupportTickets: table } = tables;
  const by = { by: 'patient', authorId: userId, authorRole: 'patient', visibility: 'patient' } as const;
  const comment = commentOf({ ticketId, userId, ...by, body }, now);
  const memory = remembering(tables, once, comment);
  const decide = async (before: Ticket, attempt: number) => {
    if (before.userId !== userId) throw new Failure(TicketNotFound);
    if (await memory.isMade(attempt)) return null;
    const hours = needsHours.comment(before) ? await readHours(tables, before.siteId) : hoursIn();
    const after = commentedByPatient(before, { now, changeId: requestId, hours });
    if (!after) throw new Failure(TicketClosed);
    return { after, also: memory.items(after) };
  };
  const ticket = await changeTicket({ table, ticketId, changeId: requestId, decide });
  return ticket && memory.written();
}

type ByStaff = Omit<StaffChange, 'tables' | 'action' | 'next' | 'refusal' | 'said' | 'also' | 'isMade'> & {
  readonly tables: StaffChange['tables'] & {
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
    readonly Users: Users<'get'>;
    readonly AgentBoardMessages: AgentBoardMessages<'get' | 'put'>;
  };
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
  const { tables, ticketId, userId, role, visibility, body, now, once, ifMatch, occasion } = said;
  const by = { by: 'support', authorId: occasion.actor, authorRole: role, visibility } as const;
  const comment = commentOf({ ticketId, userId, ...by, body }, now);
  const memory = remembering(tables, once, comment);
  const uuid = randomUUID();
  const notice = async () => {
    if (visibility === 'internal') return [];
    const { locale } = await readLocaleAndZone(tables.Users, userId);
    const draft = { userId, authorId: 'support', ...answerNotice(locale) };
    return noticeItems(tables.AgentBoardMessages, draft, { now, uuid });
  };
  const stamp = { now, changeId: occasion.requestId };
  const ticket = await changeByStaff({
    ...{ tables, ticketId, ifMatch, occasion },
    action: visibility === 'internal' ? ticketNoted : ticketAnswered,
    next: (before) => (visibility === 'internal' ? noted(before, stamp) : answered(before, stamp)),
    refusal: TicketClosed,
    said: { commentId: comment.commentId },
    also: async (after) => [...memory.items(after), ...(await notice())],
    isMade: memory.isMade,
  });
  return ticket && memory.written();
}

function commentOf(said: Omit<Comment, 'commentId' | 'createdAt'>, now: Date): Comment {
  return { ...said, commentId: orderedId(now.getTime(), randomUUID()), createdAt: now.toISOString() };
}

type MemoryTables = {
  readonly SupportTickets: SupportTickets<'get' | 'put'>;
  readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
};

/**
 * The result of a comment: it was written by this request, or by an earlier one with the same key. The first answer is stored with its
 * revision, so a repeated request gets the old ETag: its caller has not seen what was written since then.
 */
function remembering(
  { SupportTickets: table, IdempotencyKeys: keys }: MemoryTables,
  once: Once | null,
  comment: Comment,
) {
  const { ticketId, commentId } = comment;
  let made: { readonly commentId: string; readonly revision: number } | null = null;
  return {
    isMade: async (attempt: number) => {
      const [first, own] = await Promise.all([
        recall(keys, once),
        // A try that took effect may have been answered as contended, and somebody else have written since: then it is the last one.
        attempt === 0 ? null : readComment(table, { ticketId, commentId }),
      ]);
      if (first) made = { commentId: first.commentId ?? '', revision: Number(first.revision ?? 0) };
      return first !== null || own !== null;
    },
    /** For the transaction that writes it. */
    items: ({ revision }: Ticket): Items => {
      made = { commentId, revision };
      const kept = { commentId, revision: String(revision) };
      return [...commentItems(table, comment), ...rememberedIn(keys, once, kept)];
    },
    written: async (): Promise<Written | null> => {
      if (!made) return null;
      const { revision } = made;
      if (made.commentId === commentId) return { comment, revision };
      const first = await readComment(table, { ticketId, commentId: made.commentId });
      return first && { comment: first, revision };
    },
  };
}
