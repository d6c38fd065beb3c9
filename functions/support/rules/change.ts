import type { BusinessHours } from './business-hours.ts';
import { hoursIn } from './default-hours.ts';
import { dueTimes } from './due-times.ts';
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

export function opened(
  given: Pick<Ticket, 'ticketId' | 'userId' | 'subject' | 'timezone' | 'siteId' | 'hours'>,
  { now, changeId }: Stamp,
): Ticket {
  const at = now.toISOString();
  return {
    ...given,
    state: 'new',
    priority: 'normal',
    assigneeId: null,
    ...{ createdAt: at, updatedAt: at, shownAt: at, waitsSince: at },
    firstAnsweredAt: null,
    ...dueTimes(now, 'normal', hoursOf(given)),
    solvedAt: null,
    revision: 1,
    changeId,
  };
}

/** A comment of the patient's. Where it reopens the ticket, all is due anew; so it is where the support had waited for it. */
export function commentedByPatient(ticket: Ticket, stamp: Stamp): Ticket | null {
  const state = afterPatientComment[stateAt(ticket, stamp.now)];
  if (state === null) return null;
  const after = { ...moved(ticket, state, stamp), shownAt: stamp.now.toISOString() };
  if (ticket.state === 'solved') return { ...dueAnew(after, stamp), firstAnsweredAt: null, solvedAt: null };
  return ticket.state === 'pending' ? dueAnew(after, stamp) : after;
}

export function answered(ticket: Ticket, stamp: Stamp): Ticket | null {
  const state = afterAnswer[stateAt(ticket, stamp.now)];
  if (state === null) return null;
  const at = stamp.now.toISOString();
  return { ...moved(ticket, state, stamp), shownAt: at, firstAnsweredAt: ticket.firstAnsweredAt ?? at };
}

/** An internal note: nothing that the patient sees. */
export function noted(ticket: Ticket, stamp: Stamp): Ticket | null {
  return stateAt(ticket, stamp.now) === 'closed' ? null : moved(ticket, ticket.state, stamp);
}

export function transitioned(ticket: Ticket, to: State, stamp: Stamp): Ticket | null {
  if (!transitions[stateAt(ticket, stamp.now)].includes(to)) return null;
  const at = stamp.now.toISOString();
  const after = { ...moved(ticket, to, stamp), shownAt: at, solvedAt: to === 'solved' ? at : ticket.solvedAt };
  return ticket.state === 'pending' && to === 'open' ? dueAnew(after, stamp) : after;
}

/** With another priority all is due as if it had had it from the beginning. */
export function assigned(
  ticket: Ticket,
  { assigneeId = ticket.assigneeId, priority = ticket.priority }: { assigneeId?: string | null; priority?: Priority },
  stamp: Stamp,
): Ticket | null {
  if (stateAt(ticket, stamp.now) === 'closed') return null;
  const due = priority === ticket.priority ? {} : dueTimes(new Date(ticket.waitsSince), priority, hoursOf(ticket));
  return { ...moved(ticket, ticket.state, stamp), assigneeId, priority, ...due };
}

function moved(ticket: Ticket, state: State, { now, changeId }: Stamp): Ticket {
  return { ...ticket, state, updatedAt: now.toISOString(), revision: ticket.revision + 1, changeId };
}

/** The time that passed until now was not the support's. */
function dueAnew(ticket: Ticket, { now }: Stamp): Ticket {
  return { ...ticket, ...dueTimes(now, ticket.priority, hoursOf(ticket)), waitsSince: now.toISOString() };
}

/** As they were when the ticket was opened: what a site changes later moves no promise. */
function hoursOf({ hours, timezone }: Pick<Ticket, 'hours' | 'timezone'>): BusinessHours {
  return hours ?? hoursIn(timezone);
}
