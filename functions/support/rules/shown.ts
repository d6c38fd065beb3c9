import { type Comment, dueAt, type State, stateAt, type Ticket } from './ticket.ts';

/** Tickets and comments as they are answered. Pure. */

/** As the patient sees it: nothing of priority, assignment, due times and notes. */
export function ownTicket(ticket: Ticket, now: Date) {
  const { ticketId, subject, createdAt, shownAt: updatedAt, solvedAt } = ticket;
  return { ticketId, subject, state: stateAt(ticket, now), createdAt, updatedAt, solvedAt };
}

export function ownComment({ commentId, by, body, createdAt }: Comment) {
  return { commentId, by, body, createdAt };
}

export function ticketForStaff(ticket: Ticket, now: Date) {
  const { timezone: _zone, hours: _hours, shownAt: _shown, waitsSince: _waits, ...rest } = ticket;
  const { revision: _revision, changeId: _id, ...shown } = rest;
  const state: State = stateAt(ticket, now);
  const due = dueAt(ticket);
  return { ...shown, state, isOverdue: due !== null && due < now.toISOString() };
}

export function commentForStaff(comment: Comment) {
  const { commentId, ticketId, userId, by, authorId, authorRole, visibility, body, createdAt } = comment;
  return { commentId, ticketId, userId, by, authorId, authorRole, visibility, body, createdAt };
}
