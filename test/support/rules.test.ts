import { describe, expect, test } from 'vitest';
import { answerNotice } from '../../functions/support/rules/answer-notice.ts';
import {
  answered,
  assigned,
  commentedByPatient,
  needsHours,
  noted,
  opened,
  transitioned,
} from '../../functions/support/rules/change.ts';
import { hoursIn } from '../../functions/support/rules/default-hours.ts';
import { ticketForStaff } from '../../functions/support/rules/shown.ts';
import { dueAt, type State, stateAt, states, type Ticket } from '../../functions/support/rules/ticket.ts';
import { ticketEventOf, urgentTicketEventOf } from '../../functions/support/rules/ticket-event.ts';
import { subject, text } from '../../functions/support/schemas.ts';

const at = (instant: string) => new Date(instant);
const berlin = hoursIn('Europe/Berlin');
const opening = { ticketId: 't', userId: 'u', subject: 'S', siteId: 'site' };
const fresh = opened(opening, { now: at('2026-11-23T08:00:00Z'), changeId: '1', hours: berlin });
const later = { now: at('2026-11-25T10:00:00Z'), changeId: '2', hours: berlin };

function ticketIn(state: State, more: Partial<Ticket> = {}): Ticket {
  const solvedAt = state === 'solved' || state === 'closed' ? '2026-11-24T10:00:00.000Z' : null;
  return { ...fresh, state, solvedAt, ...more };
}

describe('states', () => {
  const possible: Record<State, State[]> = {
    new: ['open', 'pending', 'solved'],
    open: ['pending', 'solved'],
    pending: ['open', 'solved'],
    solved: ['closed'],
    reopened: ['open', 'pending', 'solved'],
    closed: [],
  };
  test.each(states.flatMap((from) => states.map((to) => [from, to] as const)))('staff: %s to %s', (from, to) => {
    const after = transitioned(ticketIn(from, { firstAnsweredAt: fresh.createdAt }), to, later);
    expect(after?.state ?? null).toBe(possible[from].includes(to) ? to : null);
    if (after) expect(after).toMatchObject({ revision: 2, changeId: '2', updatedAt: later.now.toISOString() });
  });

  test.each(['new', 'open', 'reopened'] as const)('nobody waits for the patient before an answer: %s', (from) => {
    expect(transitioned(ticketIn(from), 'pending', later)).toBeNull();
    // What the patient writes has to be answered as well, before it can wait again.
    const asked = answered(ticketIn(from), later);
    const waits = asked && transitioned(asked, 'pending', later);
    expect(waits?.state).toBe('pending');
    const back = waits && commentedByPatient(waits, later);
    expect(back && transitioned(back, 'pending', later)).toBeNull();
  });

  test.each<[State, State | null, State | null]>([
    ['new', 'new', 'open'],
    ['open', 'open', 'open'],
    ['pending', 'open', 'pending'],
    ['solved', 'reopened', 'solved'],
    ['reopened', 'reopened', 'open'],
    ['closed', null, null],
  ])('%s: a comment of the patient makes it %s, an answer %s', (from, afterComment, afterAnswer) => {
    expect(commentedByPatient(ticketIn(from), later)?.state ?? null).toBe(afterComment);
    expect(answered(ticketIn(from), later)?.state ?? null).toBe(afterAnswer);
  });

  test.each([
    ['just solved', '2026-11-24T10:00:00.000Z', 'solved'],
    ['14 days later', '2026-12-08T10:00:00.000Z', 'solved'],
    ['a millisecond after that', '2026-12-08T10:00:00.001Z', 'closed'],
  ])('%s', (_case, now, state) => {
    const stamp = { now: at(now), changeId: '2', hours: berlin };
    expect(stateAt(ticketIn('solved'), stamp.now)).toBe(state);
    expect(commentedByPatient(ticketIn('solved'), stamp)?.state ?? null).toBe(state === 'solved' ? 'reopened' : null);
    expect(noted(ticketIn('solved'), stamp) === null).toBe(state === 'closed');
    expect(assigned(ticketIn('solved'), { priority: 'low' }, stamp) === null).toBe(state === 'closed');
  });
});

describe('due times', () => {
  test('the first answer, then the solution; nothing while the support waits for the patient, or after the solution', () => {
    expect(dueAt(fresh)).toBe('2026-11-23T16:00:00.000Z');
    const after = answered(fresh, later);
    expect(after && dueAt(after)).toBe('2026-11-27T16:00:00.000Z');
    for (const state of ['pending', 'solved', 'closed'] as const) expect(dueAt(ticketIn(state))).toBeNull();
  });

  test.each(['solved', 'pending'] as const)('all is due anew where the patient writes on what is %s', (state) => {
    const before = ticketIn(state, { firstAnsweredAt: fresh.createdAt });
    const after = commentedByPatient(before, later);
    expect(after).toMatchObject({ waitsSince: later.now.toISOString(), solvedAt: null, firstAnsweredAt: null });
    // The first answer, and not the solution of a week later.
    expect(after && dueAt(after)).toBe('2026-11-26T10:00:00.000Z');
  });

  test('if staff open a pending ticket, the solution gets a new due time, and an answer that was given does not', () => {
    const before = ticketIn('pending', { firstAnsweredAt: fresh.createdAt });
    const after = transitioned(before, 'open', later);
    const { firstAnswerDueAt, firstAnsweredAt } = before;
    expect(after).toMatchObject({ firstAnswerDueAt, firstAnsweredAt, solutionDueAt: '2026-12-02T10:00:00.000Z' });
    const low = after && assigned(after, { priority: 'low' }, later);
    expect(low).toMatchObject({ firstAnswerDueAt, solutionDueAt: '2026-12-09T10:00:00.000Z' });
  });

  test('a comment on a ticket that already waits moves no due time', () => {
    const after = commentedByPatient(ticketIn('reopened'), later);
    expect(after).toMatchObject({ solutionDueAt: fresh.solutionDueAt, waitsSince: fresh.waitsSince });
  });

  test('null and equal values change nothing', () => {
    const before = ticketIn('open', { assigneeId: 'a' });
    for (const to of [
      {},
      { assigneeId: 'a' },
      { priority: 'normal' },
      { assigneeId: 'a', priority: 'normal' },
    ] as const) {
      expect(assigned(before, to, later)).toBe(before);
    }
    expect(assigned(ticketIn('closed'), {}, later)).toBeNull();
  });

  test('a new priority counts from the time when the ticket began to wait', () => {
    const after = assigned(fresh, { priority: 'urgent' }, later);
    expect(after).toMatchObject({ firstAnswerDueAt: '2026-11-23T09:00:00.000Z', priority: 'urgent', assigneeId: null });
    expect(assigned(fresh, { assigneeId: 'a' }, later)).toMatchObject({
      assigneeId: 'a',
      solutionDueAt: fresh.solutionDueAt,
    });
    expect(assigned(ticketIn('open', { assigneeId: 'a' }), { assigneeId: null }, later)?.assigneeId).toBeNull();
  });
});

test.each(states)('a change needs the hours of the site where it computes due times, and no other: from %s', (from) => {
  const [before, nine] = [ticketIn(from), { ...later, now: at('2026-11-25T08:00:00Z') }];
  const others = { ...nine, hours: { ...berlin, week: Array(7).fill([[600, 601]]) } };
  const depends = (change: (stamp: typeof later) => Ticket | null) =>
    JSON.stringify(change(nine)) !== JSON.stringify(change(others));
  const isTaken = from !== 'closed';
  expect(depends((stamp) => commentedByPatient(before, stamp))).toBe(isTaken && needsHours.comment(before));
  for (const to of states) {
    expect(depends((stamp) => transitioned(before, to, stamp))).toBe(needsHours.transition(before, to));
  }
  for (const priority of ['low', 'normal', 'high'] as const) {
    const isNeeded = isTaken && needsHours.assignment(before, priority);
    expect(depends((stamp) => assigned(before, { priority }, stamp))).toBe(isNeeded);
  }
});

describe('overdue', () => {
  test.each<[string, Partial<Ticket>, string, boolean]>([
    ['when the first answer is due', {}, '2026-11-23T16:00:00.000Z', false],
    ['a millisecond after it', {}, '2026-11-23T16:00:00.001Z', true],
    ['answered, when the solution is due', { firstAnsweredAt: fresh.createdAt }, '2026-11-27T16:00:00.000Z', false],
    ['answered, a millisecond after it', { firstAnsweredAt: fresh.createdAt }, '2026-11-27T16:00:00.001Z', true],
    ['while the patient is asked', { state: 'pending' }, '2027-11-27T16:00:00.001Z', false],
    ['reopened, and not answered since', { state: 'reopened' }, '2026-11-23T16:00:00.001Z', true],
  ])('%s', (_case, more, now, isOverdue) => {
    expect(ticketForStaff({ ...fresh, ...more }, at(now)).isOverdue).toBe(isOverdue);
  });
});

describe('text', () => {
  test.each<[string, string, boolean, boolean]>([
    ['empty', '', false, false],
    ['of blanks', '  ', false, false],
    ['a line', 'Where is my diary?', true, true],
    ['two lines', 'one\ntwo', false, true],
    ['of 200', 'x'.repeat(200), true, true],
    ['of 201', 'x'.repeat(201), false, true],
    ['of 10,000', 'x'.repeat(10_000), false, true],
    ['of 10,001', 'x'.repeat(10_001), false, false],
    ['half a surrogate pair', 'a\udc00', false, false],
    ['a control character', 'a\u001b[2J', false, false],
  ])('%s', (_case, value, isSubject, isText) => {
    expect([subject.safeParse(value).success, text.safeParse(value).success]).toEqual([isSubject, isText]);
  });
});

test('an internal note changes nothing that the patient sees', () => {
  expect(noted(fresh, later)).toEqual({ ...fresh, updatedAt: later.now.toISOString(), revision: 2, changeId: '2' });
});

describe('events', () => {
  const texts = { subject: { S: 'Canary' }, body: { S: 'Canary' } };
  const row = (more: object) => ({
    ...{ part: { S: 'ticket#t' }, name: { S: 'ticket' }, ticketId: { S: 't' }, userId: { S: 'u' }, ...texts },
    ...{ state: { S: 'new' }, updatedAt: { S: '2026-11-23T08:00:00.000Z' }, ...more },
  });
  const solved = row({ state: { S: 'solved' } });
  test.each([
    ['opened', { NewImage: row({}) }, 'TicketOpened'],
    ['another state', { OldImage: row({}), NewImage: solved }, 'TicketStateChanged'],
    ['the same state', { OldImage: row({}), NewImage: row({}) }, null],
    ['a comment', { NewImage: row({ name: { S: 'all#c' } }) }, null],
    ['erased', { OldImage: row({}) }, null],
  ])('%s', (_case, change, detailType) => {
    const event = ticketEventOf(change);
    expect(event?.detailType ?? null).toBe(detailType);
    expect(JSON.stringify(event)).not.toContain('Canary');
  });
});

describe('events of the ticket of a flag', () => {
  const ids = { ticketId: 't', userId: 'u' };
  const [raisedAt, acknowledgedAt] = ['2026-11-28T12:00:00.000Z', '2026-11-28T12:10:00.000Z'];
  const row = {
    ...{ part: { S: 'urgent#t' }, name: { S: 'ticket' }, ticketId: { S: 't' }, userId: { S: 'u' } },
    ...{ raisedAt: { S: raisedAt }, acknowledgedAt: {} },
  };
  const seen = { ...row, acknowledgedAt: { S: acknowledgedAt } };
  const opening = { detailType: 'UrgentTicketOpened', time: raisedAt, detail: { ...ids, raisedAt } };
  const settled = { detailType: 'UrgentTicketAcknowledged', time: acknowledgedAt, detail: { ...ids, acknowledgedAt } };
  test.each([
    ['opened', { NewImage: row }, opening],
    ['acknowledged', { OldImage: row, NewImage: seen }, settled],
    // The acknowledgement of its flag came first.
    ['written as acknowledged', { NewImage: seen }, settled],
    ['changed otherwise', { OldImage: row, NewImage: row }, null],
    ['written again', { OldImage: seen, NewImage: seen }, null],
    ['erased', { OldImage: row }, null],
    ['handed over to clinical safety', { OldImage: row, NewImage: { ...row, siteId: {} } }, null],
  ])('%s', (_case, change, event) => {
    expect(urgentTicketEventOf(change)).toEqual(event);
  });
});

test.each([
  ['de-AT', 'Antwort vom Support'],
  ['en', 'Answer from the support'],
  [null, 'Answer from the support'],
])('the message of an answer in %s', (locale, title) => {
  expect(answerNotice(locale).title).toBe(title);
});
