import type { BusinessHours } from './business-hours.ts';
import { type DueTimes, dueTimes } from './due-times.ts';
import {
  afterAnswer,
  afterPatientComment,
  type Priority,
  type State,
  stateAt,
  type Ticket,
  transitions,
} from './ticket.ts';

/** What changes a ticket, each as the ticket after it. Pure. Null: it is not possible in the state that the ticket is in. */

type Stamp = { readonly now: Date; readonly changeId: string };
/** What computes due times needs the hours of the ticket's site. */
type Timed = Stamp & { readonly hours: BusinessHours };

/** Whether a change computes due times: only then are the hours read. */
export const needsHours = {
  comment: ({ state }: Ticket) => state === 'solved' || state === 'pending',
  transition: ({ state }: Ticket, to: State) => state === 'pending' && to === 'open',
  assignment: ({ priority }: Ticket, to: Priority | undefined) => to !== undefined && to !== priority,
} as const;

export function opened(
  given: Pick<Ticket, 'ticketId' | 'userId' | 'subject' | 'siteId'>,
  { now, changeId, hours }: Timed,
): Ticket {
  const at = now.toISOString();
  return {
    ...given,
    state: 'new',
    priority: 'normal',
    assigneeId: null,
    ...{ createdAt: at, updatedAt: at, shownAt: at, waitsSince: at },
    firstAnsweredAt: null,
    ...dueTimes(now, 'normal', hours),
    solvedAt: null,
    revision: 1,
    changeId,
  };
}

/** A comment of the patient. If it reopens the ticket, or if the support was waiting for it, all due times are computed again, also that of the first answer. */
export function commentedByPatient(ticket: Ticket, stamp: Timed): Ticket | null {
  const state = afterPatientComment[stateAt(ticket, stamp.now)];
  if (state === null) return null;
  const after = { ...moved(ticket, state, stamp), shownAt: stamp.now.toISOString() };
  if (!needsHours.comment(ticket)) return after;
  return dueAnew({ ...after, firstAnsweredAt: null, solvedAt: null }, stamp);
}

/** Where it is solved, the patient has as long as ever to come back to it. */
export function answered(ticket: Ticket, stamp: Stamp): Ticket | null {
  const state = afterAnswer[stateAt(ticket, stamp.now)];
  if (state === null) return null;
  const at = stamp.now.toISOString();
  const solvedAt = state === 'solved' ? at : ticket.solvedAt;
  return { ...moved(ticket, state, stamp), shownAt: at, firstAnsweredAt: ticket.firstAnsweredAt ?? at, solvedAt };
}

/** An internal note: nothing that the patient sees. */
export function noted(ticket: Ticket, stamp: Stamp): Ticket | null {
  return stateAt(ticket, stamp.now) === 'closed' ? null : moved(ticket, ticket.state, stamp);
}

/** Nobody waits for a patient who was asked nothing: `pending` is refused until there is an answer to what the patient wrote. */
export function transitioned(ticket: Ticket, to: State, stamp: Timed): Ticket | null {
  if (to === 'pending' && ticket.firstAnsweredAt === null) return null;
  if (!transitions[stateAt(ticket, stamp.now)].includes(to)) return null;
  const at = stamp.now.toISOString();
  const after = { ...moved(ticket, to, stamp), shownAt: at, solvedAt: to === 'solved' ? at : ticket.solvedAt };
  return needsHours.transition(ticket, to) ? dueAnew(after, stamp) : after;
}

/** With another priority all is due as if it had had it from the beginning. Nothing changes: the same ticket. */
export function assigned(
  ticket: Ticket,
  { assigneeId = ticket.assigneeId, priority = ticket.priority }: { assigneeId?: string | null; priority?: Priority },
  stamp: Timed,
): Ticket | null {
  if (stateAt(ticket, stamp.now) === 'closed') return null;
  if (assigneeId === ticket.assigneeId && priority === ticket.priority) return ticket;
  const isTimed = needsHours.assignment(ticket, priority);
  const due = isTimed ? dueFrom(ticket, new Date(ticket.waitsSince), { priority, hours: stamp.hours }) : {};
  return { ...moved(ticket, ticket.state, stamp), assigneeId, priority, ...due };
}

function moved(ticket: Ticket, state: State, { now, changeId }: Stamp): Ticket {
  return { ...ticket, state, updatedAt: now.toISOString(), revision: ticket.revision + 1, changeId };
}

/** The time that passed until now was not the support's. */
function dueAnew(ticket: Ticket, { now, hours }: Timed): Ticket {
  return { ...ticket, ...dueFrom(ticket, now, { priority: ticket.priority, hours }), waitsSince: now.toISOString() };
}

/** When a first answer that has been given was due, stays. */
function dueFrom(
  { firstAnsweredAt, firstAnswerDueAt }: Ticket,
  from: Date,
  { priority, hours }: { priority: Priority; hours: BusinessHours },
): DueTimes {
  const due = dueTimes(from, priority, hours);
  return firstAnsweredAt === null ? due : { ...due, firstAnswerDueAt };
}
