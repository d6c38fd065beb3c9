import assert from 'node:assert/strict';
import { mostUnsolved } from '../../../functions/support/rules/ticket.ts';
import { listKeys } from '../../../functions/support/stores/ticket-rows.ts';
import { isOpen } from '../../../lib/explore/insisting.ts';
import type { Call, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { codeOf, commentRows, ticketRows } from './tickets.ts';

/** Two phones open a ticket each, of which the patient may open one more; a third request repeats one of them. */

const opening = (key: string) => ({
  headers: { 'Idempotency-Key': key },
  body: { subject: `Subject of ${key}`, body: `Text of ${key}` },
});

const keyOf = ({ request }: Call) => String(request.headers?.['Idempotency-Key']);

export const ticketOpened: Scenario = {
  name: 'ticket-opened',
  domain: 'support',
  says: 'Two phones open a ticket each where the patient may have one more, and a repetition comes from a third device.',
  setUp: async ({ put }) =>
    put('SupportTickets', { part: `user#${patient.userId}`, name: 'unsolved', unsolved: mostUnsolved - 1 }),
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('openTicket', opening('one')) },
    'phone B': { as: patient, does: ({ insist }) => insist('openTicket', opening('two')) },
    tablet: { as: patient, does: ({ insist }) => insist('openTicket', opening('one')) },
  },
  consumers: ['publishTicketEvents'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'one ticket is opened, and no more than there may be': (end) => {
      const tickets = ticketRows(end);
      assert.equal(tickets.length, 1);
      const [count] = end.rows('SupportTickets').filter(({ name }) => name === 'unsolved');
      assert.equal(count?.unsolved, mostUnsolved);
    },
    'a key has one ticket, and who repeats it gets that one': (end) => {
      const [ticket] = ticketRows(end);
      for (const call of end.calls) {
        if (isOpen(call)) continue;
        const isItsOwn = ticket?.subject === `Subject of ${keyOf(call)}`;
        if (!isItsOwn) {
          assert.equal(codeOf(call), 'TICKET_LIMIT_REACHED');
          continue;
        }
        assert.equal(call.answer.status, 201, codeOf(call));
        assert.deepEqual(
          { ticketId: call.answer.body.ticketId, createdAt: call.answer.body.createdAt },
          { ticketId: ticket?.ticketId, createdAt: ticket?.createdAt },
        );
      }
    },
    'the ticket has its first comment, once for staff and once for the patient': (end) => {
      assert.deepEqual(commentRows(end), []);
      const [ticket] = ticketRows(end);
      const comments = end.rows('SupportTickets').filter(({ name }) => /^(all|shown)#/.test(name));
      assert.deepEqual(
        comments.map(({ name, body }) => `${name} ${body}`).sort(),
        [`all#${ticket?.ticketId}`, `shown#${ticket?.ticketId}`].map(
          (name) => `${name} ${String(ticket?.subject).replace('Subject', 'Text')}`,
        ),
      );
    },
    'it is on its lists': (end) => {
      const lists = end
        .rows('SupportTickets')
        .filter(({ part, name }) => !/^ticket#/.test(part) && name !== 'unsolved');
      const places = (rows: readonly { part: string; name: string }[]) =>
        rows.map(({ part, name }) => `${part} ${name}`).sort();
      assert.deepEqual(places(lists as never), places(ticketRows(end).flatMap((row) => listKeys(row as never))));
    },
    'the ticket has its event, and there is no other': ({ outside, ...end }) => {
      const told = outside.events.map(({ type, detail }) => `${type} ${detail.ticketId}`);
      const [ticket] = ticketRows({ outside, ...end });
      assert.deepEqual([...new Set(told)], [`TicketOpened ${ticket?.ticketId}`]);
    },
  },
};
