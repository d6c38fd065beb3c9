/** A ticket: what a patient asks of the support, and how far it has come. Pure. */

export const states = ['new', 'open', 'pending', 'solved', 'closed', 'reopened'] as const;
export type State = (typeof states)[number];

export const priorities = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

export type Ticket = {
  readonly ticketId: string;
  /** The patient who opened it. */
  readonly userId: string;
  readonly subject: string;
  readonly state: State;
  readonly priority: Priority;
  /** Who works on it. */
  readonly assigneeId: string | null;
  /** The patient's main site when it was opened: its hours count. */
  readonly siteId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When something changed that the patient sees: an internal note does not move it. */
  readonly shownAt: string;
  /** Since when it waits for an answer: its opening, or its reopening. */
  readonly waitsSince: string;
  readonly firstAnswerDueAt: string;
  readonly firstAnsweredAt: string | null;
  readonly solutionDueAt: string;
  readonly solvedAt: string | null;
  /** Counts the changes, from 1. */
  readonly revision: number;
  /** New for each change: tells a lost answer to a write from another writer's. */
  readonly changeId: string;
};

export type Key = { readonly part: string; readonly name: string };
/** A ticket by itself, or on a list. */
export type TicketRow = Key & Ticket;
/** How many of a patient's tickets are unsolved. */
export type UnsolvedCount = Key & { readonly unsolved: number };

/** What staff may make of a ticket. */
export const transitions: Readonly<Record<State, readonly State[]>> = {
  new: ['open', 'pending', 'solved'],
  open: ['pending', 'solved'],
  pending: ['open', 'solved'],
  solved: ['closed'],
  reopened: ['open', 'pending', 'solved'],
  closed: [],
};

/** What a comment of the patient makes of it; null: it takes none any more. */
export const afterPatientComment: Readonly<Record<State, State | null>> = {
  new: 'new',
  open: 'open',
  pending: 'open',
  solved: 'reopened',
  reopened: 'reopened',
  closed: null,
};

/** What an answer to the patient makes of it. */
export const afterAnswer: Readonly<Record<State, State | null>> = {
  new: 'open',
  open: 'open',
  pending: 'pending',
  solved: 'solved',
  reopened: 'open',
  closed: null,
};

/** The patient can reopen a ticket that long after it was solved. */
const reopenableMs = 14 * 86_400_000;

/** From the millisecond after it a solved ticket is closed; null where it is not solved. */
export function closesAfter({ state, solvedAt }: Pick<Ticket, 'state' | 'solvedAt'>): string | null {
  return state === 'solved' && solvedAt !== null ? new Date(Date.parse(solvedAt) + reopenableMs).toISOString() : null;
}

/** Closed once the time has passed, whether or not a run has written it down. */
export function stateAt(ticket: Pick<Ticket, 'state' | 'solvedAt'>, now: Date): State {
  const until = closesAfter(ticket);
  return until !== null && now.toISOString() > until ? 'closed' : ticket.state;
}

/** Somebody has to do something about it, and it is not settled. */
export function isUnsolved({ state }: Pick<Ticket, 'state'>): boolean {
  return state !== 'solved' && state !== 'closed';
}

/** Of one patient. Who has so many can open no other; what the patient reopens is not refused. */
export const mostUnsolved = 20;

/** When the support is late: with the first answer, then with the solution. Not while the patient is asked, nor once it is solved. */
export function dueAt(ticket: Pick<Ticket, 'state' | 'firstAnsweredAt' | 'firstAnswerDueAt' | 'solutionDueAt'>) {
  if (!isUnsolved(ticket) || ticket.state === 'pending') return null;
  return ticket.firstAnsweredAt === null ? ticket.firstAnswerDueAt : ticket.solutionDueAt;
}

export type Comment = {
  readonly commentId: string;
  readonly ticketId: string;
  readonly userId: string;
  readonly by: 'patient' | 'support';
  /** Who wrote it: the name of a role stays when the person is gone. */
  readonly authorId: string;
  readonly authorRole: string;
  /** `internal` is for staff only. */
  readonly visibility: 'patient' | 'internal';
  readonly body: string;
  readonly createdAt: string;
};

export type CommentRow = Key & Comment;
