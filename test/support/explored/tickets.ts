import assert from 'node:assert/strict';
import { isUnsolved } from '../../../functions/support/rules/ticket.ts';
import { listKeys } from '../../../functions/support/stores/ticket-rows.ts';
import type { Call, End, Row, SetUp } from '../../../lib/explore/scenario.ts';
import { agent, otherAgent, patient } from '../../explorer/people.ts';

/** One ticket of a patient, on which several people work. */

/** Follows from the set-up, which is the same in each run. */
export const ticket = { ticketId: '' };

/** The patient's ticket, and two agents who have used the app. */
export async function oneTicket({ call }: SetUp): Promise<void> {
  for (const person of [patient, agent, otherAgent]) await call(person, 'readProfile');
  const body = { subject: 'The diary', body: 'shows the wrong night' };
  ticket.ticketId = String((await call(patient, 'openTicket', { body })).body.ticketId);
}

export function codeOf({ answer: { body } }: Call): string {
  const { code = '' } = (body.error ?? body) as { code?: string };
  return code;
}

export function ticketRows({ rows }: End): Row[] {
  return rows('SupportTickets').filter(({ part, name }) => /^ticket#/.test(part) && name === 'ticket');
}

export function theTicket(end: End): Row {
  return ticketRows(end).find(({ ticketId }) => ticketId === ticket.ticketId) as Row;
}

/** The comments that staff reads, without the opening. */
export function commentRows({ rows }: End): Row[] {
  const all = rows('SupportTickets').filter(({ name }) => /^all#/.test(name));
  return all.filter(({ commentId, ticketId }) => commentId !== ticketId);
}

/** Each change of the ticket's own row during the schedule, oldest first. */
export function ticketChanges(end: End) {
  const ofTicket = end.changes('SupportTickets').filter(({ after }) => after?.part === `ticket#${ticket.ticketId}`);
  return ofTicket.filter(({ before, after }) => before !== null && after?.name === 'ticket');
}

const content = ({ part: _part, name: _name, ...row }: Row) => row;

export const ticketInvariants: Readonly<Record<string, (end: End) => void>> = {
  'a ticket is on the lists that it belongs to, and on no other': (end) => {
    const places = (rows: readonly { readonly part: string; readonly name: string }[]) =>
      rows.map(({ part, name }) => `${part} ${name}`).sort();
    const lists = /^(user#|state#|priority#|assignee#|site#|due$|solved-until$)/;
    const listed = end.rows('SupportTickets').filter(({ part, name }) => lists.test(part) && name !== 'unsolved');
    assert.deepEqual(places(listed as never), places(ticketRows(end).flatMap((row) => listKeys(row as never))));
    for (const row of listed)
      assert.deepEqual(content(row), content(ticketRows(end).find(({ ticketId }) => ticketId === row.ticketId) as Row));
  },
  'the count of unsolved tickets is right': (end) => {
    const [count] = end.rows('SupportTickets').filter(({ name }) => name === 'unsolved');
    assert.equal(count?.unsolved, ticketRows(end).filter((row) => isUnsolved(row as never)).length);
  },
  'each change counts one revision, and none is lost': (end) => {
    for (const { before, after } of ticketChanges(end)) assert.equal(after?.revision, before?.revision + 1);
  },
  'each change of staff has one audit event, and nothing else has': (end) => {
    const all = end.rows('AuditEvents').filter(({ subject }) => subject === `ticket/${ticket.ticketId}`);
    // Those of the set-up are of changes before.
    const events = all.filter(({ requestId }) => !/^quiet/.test(requestId));
    const ids = ticketChanges(end).map(({ after }) => String(after?.changeId));
    const byStaff = ids.filter((id) => /^agent/.test(id));
    assert.deepEqual(events.map(({ requestId }) => requestId).sort(), byStaff.sort());
  },
  'the patient sees what was written to the patient, and no note': (end) => {
    const shown = end.rows('SupportTickets').filter(({ name }) => /^shown#/.test(name));
    const all = end
      .rows('SupportTickets')
      .filter(({ name, visibility }) => /^all#/.test(name) && visibility === 'patient');
    const ids = (rows: readonly Row[]) => rows.map(({ commentId }) => commentId).sort();
    assert.deepEqual(ids(shown), ids(all));
  },
  'each answer to the patient has one message on the board': (end) => {
    const answers = commentRows(end).filter(({ by, visibility }) => by === 'support' && visibility === 'patient');
    const messages = end.rows('AgentBoardMessages').filter(({ authorId }) => authorId === 'support');
    assert.equal(new Set(messages.map(({ messageId }) => messageId)).size, answers.length);
    assert.equal(messages.length, answers.length);
  },
  'each change of state has one event': (end) => {
    const moves = ticketChanges(end).filter(({ before, after }) => before?.state !== after?.state);
    const told = end.outside.events.filter(({ type }) => type === 'TicketStateChanged').map(({ detail }) => detail);
    const names = (details: readonly Row[]) =>
      [...new Set(details.map(({ ticketId, state, updatedAt }) => `${ticketId} ${state} ${updatedAt}`))].sort();
    assert.deepEqual(names(told), names(moves.map(({ after }) => after as Row)));
  },
  'a comment that was answered is there, once for each key': (end) => {
    const comments = commentRows(end);
    const byKey = new Map<string, string>();
    for (const { operation, request, answer } of end.calls) {
      if (!/Comment$/.test(operation) || answer.status !== 201) continue;
      const key = `${operation} ${request.headers?.['Idempotency-Key']}`;
      const { commentId, body, createdAt } = answer.body;
      assert.equal(byKey.get(key) ?? commentId, commentId);
      byKey.set(key, String(commentId));
      const row = comments.find((each) => each.commentId === commentId);
      assert.deepEqual({ body, createdAt }, { body: row?.body, createdAt: row?.createdAt });
      assert.equal(body, (request.body as { body: string }).body);
    }
    // Each text belongs to one key.
    assert.equal(new Set(comments.map(({ body }) => body)).size, comments.length);
  },
};

export const commenting = (key: string, body: string) => ({
  params: ticket,
  headers: { 'Idempotency-Key': key },
  body: { body },
});

export const answering = (key: string, etag: string | null, body: string, visibility = 'patient') => ({
  params: ticket,
  headers: { 'Idempotency-Key': key, 'If-Match': String(etag) },
  body: { visibility, body },
});
