import { describe, expect, test } from 'vitest';
import { answerNotice } from '../../functions/support/rules/answer-notice.ts';
import { afterBusinessMinutes } from '../../functions/support/rules/business-hours.ts';
import {
  answered,
  assigned,
  commentedByPatient,
  noted,
  opened,
  transitioned,
} from '../../functions/support/rules/change.ts';
import { hoursIn } from '../../functions/support/rules/default-hours.ts';
import { dueTimes } from '../../functions/support/rules/due-times.ts';
import { flagChangeOf } from '../../functions/support/rules/flag-change.ts';
import {
  dueAt,
  type Priority,
  type State,
  stateAt,
  states,
  type Ticket,
} from '../../functions/support/rules/ticket.ts';
import { ticketEventOf } from '../../functions/support/rules/ticket-event.ts';
import { escalatesAt, mainSiteOf, urgentTicket, urgentTicketId } from '../../functions/support/rules/urgent-ticket.ts';

const at = (instant: string) => new Date(instant);
const always = (zone: string) => ({
  timezone: zone,
  week: Array.from({ length: 7 }, () => [[0, 1440]] as const),
  holidays: [],
});

describe('business hours', () => {
  // 2026-11-23 is a Monday; Berlin is at UTC+1 in winter.
  test.each([
    ['within a day', '2026-11-23T08:00:00Z', 60, '2026-11-23T09:00:00.000Z'],
    ['before it opens', '2026-11-23T03:00:00Z', 60, '2026-11-23T09:00:00.000Z'],
    ['after it closed', '2026-11-23T19:00:00Z', 60, '2026-11-24T09:00:00.000Z'],
    ['over a night', '2026-11-23T15:30:00Z', 60, '2026-11-24T08:30:00.000Z'],
    ['up to its end, not the next morning', '2026-11-23T15:00:00Z', 60, '2026-11-23T16:00:00.000Z'],
    ['at its very end', '2026-11-23T16:00:00Z', 60, '2026-11-24T09:00:00.000Z'],
    ['over a weekend', '2026-11-27T15:30:00Z', 60, '2026-11-30T08:30:00.000Z'],
    ['on a Saturday', '2026-11-28T12:00:00Z', 60, '2026-11-30T09:00:00.000Z'],
    ['a week', '2026-11-23T08:00:00Z', 2400, '2026-11-27T16:00:00.000Z'],
    ['over Christmas, a Friday and a Saturday', '2026-12-24T15:30:00Z', 60, '2026-12-28T08:30:00.000Z'],
    ['over New Year, a Friday', '2026-12-31T15:30:00Z', 60, '2027-01-04T08:30:00.000Z'],
    ['over Easter', '2026-04-02T14:30:00Z', 60, '2026-04-07T07:30:00.000Z'],
    ['over Ascension', '2026-05-13T14:30:00Z', 60, '2026-05-15T07:30:00.000Z'],
    // The clock goes forward on Sunday, 29 March 2026, and back on Sunday, 25 October 2026.
    ['over the beginning of summer time', '2026-03-27T15:30:00Z', 60, '2026-03-30T07:30:00.000Z'],
    ['over the end of summer time', '2026-10-23T14:30:00Z', 60, '2026-10-26T08:30:00.000Z'],
  ])('%s', (_case, from, minutes, due) => {
    expect(afterBusinessMinutes(at(from), minutes, hoursIn('Europe/Berlin')).toISOString()).toBe(due);
  });

  test.each([
    ['of 23 hours', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00.000Z', 1380],
    ['of 25 hours', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00.000Z', 1500],
  ])('a day %s has its true length', (_case, from, due, minutes) => {
    expect(afterBusinessMinutes(at(from), minutes, always('Europe/Berlin')).toISOString()).toBe(due);
  });

  test('a zone of which no holidays are known, on the other side of the earth', () => {
    // Monday, 9:00 in Auckland (UTC+13) is Sunday, 20:00 UTC.
    const due = afterBusinessMinutes(at('2026-11-21T00:00:00Z'), 60, hoursIn('Pacific/Auckland'));
    expect(due.toISOString()).toBe('2026-11-22T21:00:00.000Z');
  });

  test('a site that is never open', () => {
    const never = { timezone: 'UTC', week: [], holidays: [] };
    expect(() => afterBusinessMinutes(at('2026-11-23T08:00:00Z'), 1, never)).toThrow('never open');
  });
});

test.each<[Priority, string, string]>([
  // From a Saturday at noon: what is urgent does not wait for Monday.
  ['urgent', '2026-11-28T13:00:00.000Z', '2026-11-28T20:00:00.000Z'],
  ['high', '2026-11-30T12:00:00.000Z', '2026-12-01T16:00:00.000Z'],
  ['normal', '2026-11-30T16:00:00.000Z', '2026-12-04T16:00:00.000Z'],
  ['low', '2026-12-01T16:00:00.000Z', '2026-12-11T16:00:00.000Z'],
])('what is %s is due at', (priority, firstAnswerDueAt, solutionDueAt) => {
  const due = dueTimes(at('2026-11-28T12:00:00Z'), priority, hoursIn('Europe/Berlin'));
  expect(due).toEqual({ firstAnswerDueAt, solutionDueAt });
});

const opening = { ticketId: 't', userId: 'u', subject: 'S', siteId: 'site', timezone: 'Europe/Berlin' };
const fresh = opened(opening, { now: at('2026-11-23T08:00:00Z'), changeId: '1' });
const later = { now: at('2026-11-25T10:00:00Z'), changeId: '2' };

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
    const after = transitioned(ticketIn(from), to, later);
    expect(after?.state ?? null).toBe(possible[from].includes(to) ? to : null);
    if (after) expect(after).toMatchObject({ revision: 2, changeId: '2', updatedAt: later.now.toISOString() });
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
    const stamp = { now: at(now), changeId: '2' };
    expect(stateAt(ticketIn('solved'), stamp.now)).toBe(state);
    expect(commentedByPatient(ticketIn('solved'), stamp)?.state ?? null).toBe(state === 'solved' ? 'reopened' : null);
    expect(noted(ticketIn('solved'), stamp) === null).toBe(state === 'closed');
    expect(assigned(ticketIn('solved'), { priority: 'low' }, stamp) === null).toBe(state === 'closed');
  });
});

describe('what is due', () => {
  test('the first answer, then the solution; nothing while the patient is asked, nor once it is solved', () => {
    expect(dueAt(fresh)).toBe('2026-11-23T16:00:00.000Z');
    const after = answered(fresh, later);
    expect(after && dueAt(after)).toBe('2026-11-27T16:00:00.000Z');
    for (const state of ['pending', 'solved', 'closed'] as const) expect(dueAt(ticketIn(state))).toBeNull();
  });

  test.each(['solved', 'pending'] as const)('all is due anew where the patient writes on what is %s', (state) => {
    const before = ticketIn(state, { firstAnsweredAt: fresh.createdAt });
    const after = commentedByPatient(before, later);
    expect(after).toMatchObject({ waitsSince: later.now.toISOString(), solvedAt: null });
    expect(after && dueAt(after)).toBe(state === 'solved' ? '2026-11-26T10:00:00.000Z' : '2026-12-02T10:00:00.000Z');
  });

  test('a comment on what waits already moves nothing that is due', () => {
    const after = commentedByPatient(ticketIn('reopened'), later);
    expect(after).toMatchObject({ solutionDueAt: fresh.solutionDueAt, waitsSince: fresh.waitsSince });
  });

  test('another priority counts from when the ticket began to wait', () => {
    const after = assigned(fresh, { priority: 'urgent' }, later);
    expect(after).toMatchObject({ firstAnswerDueAt: '2026-11-23T09:00:00.000Z', priority: 'urgent', assigneeId: null });
    expect(assigned(fresh, { assigneeId: 'a' }, later)).toMatchObject({
      assigneeId: 'a',
      solutionDueAt: fresh.solutionDueAt,
    });
    expect(assigned(ticketIn('open', { assigneeId: 'a' }), { assigneeId: null }, later)?.assigneeId).toBeNull();
  });
});

test('an internal note moves nothing that the patient sees', () => {
  expect(noted(fresh, later)).toEqual({ ...fresh, updatedAt: later.now.toISOString(), revision: 2, changeId: '2' });
});

describe('the ticket of a flag', () => {
  const flag = { userId: 'u', flagId: 'f', responseId: 'r', raisedAt: '2026-11-28T12:00:00.000Z' };

  test('its id follows from response and flag', () => {
    expect(urgentTicketId(flag)).toBe(urgentTicketId({ ...flag }));
    expect(new Set([flag, { ...flag, flagId: 'g' }, { ...flag, responseId: 's' }].map(urgentTicketId)).size).toBe(3);
  });

  test('it is due by the clock, also on a Saturday: of a site clinical safety gets it then, else at once', () => {
    expect(escalatesAt(urgentTicket(flag, 'site'))).toBe('2026-11-28T13:00:00.000Z');
    expect(escalatesAt(urgentTicket(flag, null))).toBe(flag.raisedAt);
  });

  test.each([
    ['none', [], null],
    [
      'the one for longest',
      [
        { siteId: 'b', since: '2' },
        { siteId: 'a', since: '1' },
      ],
      'a',
    ],
    [
      'the one that was chosen',
      [
        { siteId: 'b', since: '2', isMain: true },
        { siteId: 'a', since: '1' },
      ],
      'b',
    ],
  ])('the main site: %s', (_case, relations, siteId) => {
    expect(mainSiteOf(relations)).toBe(siteId);
  });

  const row = {
    part: { S: 'flag#f' },
    flagId: { S: 'f' },
    userId: { S: 'u' },
    responseId: { S: 'r' },
    raisedAt: { S: flag.raisedAt },
  };
  const seen = { ...row, acknowledgedAt: { S: '2026-11-28T12:10:00.000Z' }, acknowledgedBy: { S: 'w' } };
  test.each([
    ['raised', { NewImage: row }, { raised: flag }],
    [
      'acknowledged',
      { OldImage: row, NewImage: seen },
      { acknowledged: { flagId: 'f', responseId: 'r', at: '2026-11-28T12:10:00.000Z', by: 'w' } },
    ],
    ['acknowledged before', { OldImage: seen, NewImage: seen }, null],
    ['erased', { OldImage: row }, null],
    ['a row of a list', { NewImage: { ...row, part: { S: 'open' } } }, null],
    ['without its user', { NewImage: { ...row, userId: {} } }, 'unknown'],
  ])('of a change of the flags: %s', (_case, change, meant) => {
    expect(flagChangeOf(change)).toEqual(meant);
  });
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

test.each([
  ['de-AT', 'Antwort vom Support'],
  ['en', 'Answer from the support'],
  [null, 'Answer from the support'],
])('the message of an answer in %s', (locale, title) => {
  expect(answerNotice(locale).title).toBe(title);
});
