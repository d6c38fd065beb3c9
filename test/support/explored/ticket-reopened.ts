import assert from 'node:assert/strict';
import { overdueTickets } from '../../../functions/support/metrics.ts';
import { closesAfter, dueAt } from '../../../functions/support/rules/ticket.ts';
import { isOpen } from '../../../lib/explore/insisting.ts';
import type { Row, Scenario } from '../../../lib/explore/scenario.ts';
import { agent, patient } from '../../explorer/people.ts';
import {
  answering,
  codeOf,
  commenting,
  commentRows,
  oneTicket,
  theTicket,
  ticket,
  ticketChanges,
  ticketInvariants,
} from './tickets.ts';

/** A ticket was solved almost 14 days ago: the patient comes back to it, an agent adds to the answer, and a run closes what has lapsed. */

const fortnight = 14 * 86_400_000;
const lastMinute = fortnight - 60_000;

const closesAt = (row: Row) => closesAfter(row as never);

export const ticketReopened: Scenario = {
  name: 'ticket-reopened',
  domain: 'support',
  says: 'A patient comes back to a solved ticket at the end of its 14 days while an agent answers and a run closes it.',
  setUp: async (setUp) => {
    await oneTicket(setUp);
    await setUp.call(agent, 'addTicketComment', answering('answer-0', '"1"', 'Choose the night again'));
    const solving = { params: ticket, headers: { 'If-Match': '"2"' }, body: { to: 'solved' } };
    await setUp.call(agent, 'transitionTicket', solving);
    setUp.pass(lastMinute);
  },
  clients: {
    phone: {
      as: patient,
      does: ({ insist }) => insist('addOwnTicketComment', commenting('comment-1', 'It is wrong again')),
    },
    'agent A': {
      as: agent,
      does: ({ insist }) => insist('addTicketComment', answering('answer-1', '"3"', 'Is it right now?')),
    },
  },
  consumers: ['publishTicketEvents'],
  schedules: { watchTickets: 2 },
  finally: ['watchTickets'],
  clockMoves: [120_000],
  invariants: {
    'a solved ticket is closed once its 14 days are over': (end) => {
      const row = theTicket(end);
      const until = closesAt(row);
      if (until !== null) assert.ok(end.now <= Date.parse(until), `${row.state} at ${new Date(end.now).toISOString()}`);
    },
    'nothing is closed before': (end) => {
      for (const { before, after } of ticketChanges(end)) {
        if (after?.state !== 'closed') continue;
        assert.equal(before?.state, 'solved');
        assert.ok(String(after.updatedAt) > String(closesAt(before as Row)));
      }
    },
    'what the patient came back to is open again, and waits for an answer': (end) => {
      const [mine] = commentRows(end).filter(({ by }) => by === 'patient');
      if (!mine) return;
      const { state, firstAnsweredAt, solvedAt, waitsSince } = theTicket(end);
      assert.deepEqual(
        { state, firstAnsweredAt, solvedAt },
        { state: 'reopened', firstAnsweredAt: null, solvedAt: null },
      );
      assert.equal(waitsSince, mine.createdAt);
    },
    'a request that is refused was late, and has written nothing': (end) => {
      for (const call of end.calls) {
        if (isOpen(call) || call.answer.status === 201) continue;
        if (call.answer.status === 412) {
          assert.equal(call.client, 'agent A');
          assert.ok(ticketChanges(end).length > 0, 'nothing had changed');
          continue;
        }
        assert.equal(codeOf(call), 'TICKET_CLOSED');
        const by = call.client === 'phone' ? 'patient' : 'support';
        const written = commentRows(end).filter((row) => row.by === by && row.body !== 'Choose the night again');
        assert.deepEqual(written, []);
      }
    },
    'an answer to a solved ticket gives the patient 14 days again': (end) => {
      const [answer] = commentRows(end).filter(({ body }) => body === 'Is it right now?');
      const mine = commentRows(end).some(({ by }) => by === 'patient');
      if (!answer || mine) return;
      assert.equal(theTicket(end).state, 'solved');
      assert.equal(theTicket(end).solvedAt, answer.createdAt);
    },
    'the alarm counts a ticket that waits too long': (end) => {
      const due = dueAt(theTicket(end) as never);
      const isOverdue = due !== null && Date.parse(due) < end.now;
      assert.equal(end.metric(overdueTickets).at(-1), isOverdue ? 1 : 0);
    },
    ...ticketInvariants,
  },
};
