import * as z from 'zod/mini';
import { combined, Id, Timestamp, visibleLine, visibleLines, wellFormed } from '../../lib/contract/fields.ts';

/** A ticket as its patient sees it. */
export const OwnTicket = z.object({
  ticketId: Id,
  subject: z.string(),
  state: z.enum(['new', 'open', 'pending', 'solved', 'closed', 'reopened']),
  createdAt: Timestamp,
  /** Of the last change that the patient sees. */
  updatedAt: Timestamp,
  /** Or when it was answered since. Until 14 days after it a comment opens the ticket again. */
  solvedAt: z.nullable(Timestamp),
});

/** A comment as the patient sees it. */
export const OwnTicketComment = z.object({
  commentId: Id,
  by: z.enum(['patient', 'support']),
  body: z.string(),
  createdAt: Timestamp,
});

/** A ticket as staff sees it. */
export const Ticket = z.object({
  ticketId: Id,
  /** The patient who opened it. */
  userId: z.string(),
  subject: z.string(),
  state: z.enum(['new', 'open', 'pending', 'solved', 'closed', 'reopened']),
  priority: z.enum(['low', 'normal', 'high', 'urgent']),
  assigneeId: z.nullable(z.string()),
  /** The patient's main site when the ticket was opened. */
  siteId: z.nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  firstAnswerDueAt: Timestamp,
  /** Since it began to wait: null again where the patient wrote on what was pending or solved. */
  firstAnsweredAt: z.nullable(Timestamp),
  solutionDueAt: Timestamp,
  solvedAt: z.nullable(Timestamp),
  /** Whether the first answer, or the solution, is late. */
  isOverdue: z.boolean(),
});

/** A comment as staff sees it. */
export const TicketComment = z.object({
  commentId: Id,
  ticketId: Id,
  /** The patient whose ticket it is. */
  userId: z.string(),
  by: z.enum(['patient', 'support']),
  authorId: z.string(),
  authorRole: z.string(),
  /** The patient never sees what is internal. */
  visibility: z.enum(['patient', 'internal']),
  body: z.string(),
  createdAt: Timestamp,
});

/** What a person must look at: only ids and times. */
const urgentTicket = {
  ticketId: Id,
  userId: z.string(),
  flagId: Id,
  responseId: Id,
  siteId: z.nullable(Id),
  raisedAt: Timestamp,
  /** When the patient wrote the answers: it can be days before they arrived. */
  recordedAt: Timestamp,
  receivedAt: Timestamp,
  /** From then on the role `clinical-safety` sees to it, too. */
  dueAt: Timestamp,
  acknowledgedAt: z.nullable(Timestamp),
  acknowledgedBy: z.nullable(z.string()),
} as const;

export const UrgentTicket = z.object(urgentTicket);

/** A row that can be shown, and whose patient can have an access log. */
export const UrgentTicketRow = z.object(combined(urgentTicket, { userId: Id }));

/** As a site lists it. By this schema all fields except `userId` can be null. But patients who do not consent are left out, so nothing is null. */
export const UrgentTicketOfSite = z.object({
  userId: z.string(),
  ticketId: z.nullable(Id),
  flagId: z.nullable(Id),
  responseId: z.nullable(Id),
  siteId: z.nullable(Id),
  raisedAt: z.nullable(Timestamp),
  recordedAt: z.nullable(Timestamp),
  receivedAt: z.nullable(Timestamp),
  dueAt: z.nullable(Timestamp),
  acknowledgedAt: z.nullable(Timestamp),
  acknowledgedBy: z.nullable(z.string()),
});

export const subject = z.string().check(z.maxLength(200), wellFormed, visibleLine);
export const text = z.string().check(z.maxLength(10_000), wellFormed, visibleLines);
