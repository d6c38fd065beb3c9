import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Call, Client, End, Scenario } from '../../../lib/explore/scenario.ts';
import { agent, otherAgent, patient } from '../../explorer/people.ts';
import {
  answering,
  codeOf,
  commenting,
  commentRows,
  oneTicket,
  theTicket,
  ticket,
  ticketInvariants,
} from './tickets.ts';

/** Two agents and the patient change one ticket at once: of two who saw the same state one has to look again. */

type Register = {
  readonly revision: number;
  readonly priority: string;
  readonly made: Readonly<Record<string, number>>;
};

const etag = (revision: number) => `"${revision}"`;

function assigned(call: Call) {
  const { priority } = call.request.body as { priority: string };
  return observed<Register>(call, (state) => {
    const after = { ...state, priority, revision: state.revision + 1 };
    if (call.request.headers?.['If-Match'] !== etag(state.revision))
      return isOpen(call) || call.answer.status === 412 ? state : undefined;
    const { status, body } = call.answer;
    const isRight = status === 200 && body.priority === priority && call.answer.etag === etag(after.revision);
    return isOpen(call) || isRight ? after : undefined;
  });
}

/** A repeated key is answered as the first time: also with the ETag that the ticket had right after it. */
function commented(call: Call) {
  const { headers = {} } = call.request;
  const key = String(headers['Idempotency-Key']);
  const isByStaff = call.operation === 'addTicketComment';
  return observed<Register>(call, (state) => {
    const made = state.made[key];
    const { status } = call.answer;
    const gets = (revision: number) => status === 201 && (!isByStaff || call.answer.etag === etag(revision));
    if (made !== undefined) return isOpen(call) || gets(made) ? state : undefined;
    if (isByStaff && headers['If-Match'] !== etag(state.revision))
      return isOpen(call) || status === 412 ? state : undefined;
    const revision = state.revision + 1;
    const after = { ...state, revision, made: { ...state.made, [key]: revision } };
    return isOpen(call) || gets(revision) ? after : undefined;
  });
}

/** What an agent sees who looks again. */
function looked(call: Call) {
  return observed<Register>(call, (state) => {
    const isRight = call.answer.etag === etag(state.revision) && call.answer.body.priority === state.priority;
    return isOpen(call) || isRight ? state : undefined;
  });
}

const models: Readonly<Record<string, typeof looked>> = {
  changeTicket: assigned,
  addTicketComment: commented,
  addOwnTicketComment: commented,
  readTicket: looked,
};

function explains(end: End): boolean {
  const history = end.calls.map((call) => models[call.operation]?.(call)).filter((each) => each !== undefined);
  const { revision, priority } = theTicket(end);
  const comments = commentRows(end).length;
  return isLinearizable<Register>({ revision: 1, priority: 'normal', made: {} }, history, (state) => {
    const isSame = state.revision === revision && state.priority === priority;
    return isSame && Object.keys(state.made).length === comments;
  });
}

/** As an agent's tool does: after 412 it looks again, and sends the same once more. */
async function looksAgain(
  { insist }: Client,
  send: (tag: string | null) => Promise<{ readonly status: number }>,
): Promise<void> {
  const { status } = await send('"1"');
  if (status !== 412) return;
  const seen = await insist('readTicket', { params: ticket });
  if (seen.status === 200) await send(seen.etag);
}

export const twoAgents: Scenario = {
  name: 'two-agents',
  domain: 'support',
  says: 'Two agents change and answer the same ticket while its patient comments on it.',
  setUp: oneTicket,
  clients: {
    'agent A': {
      as: agent,
      does: async (client) => {
        const change = (tag: string | null) =>
          client.insist('changeTicket', {
            params: ticket,
            headers: { 'If-Match': String(tag) },
            body: { priority: 'high', assigneeId: agent.userId },
          });
        await change('"1"');
      },
    },
    'agent B': {
      as: otherAgent,
      does: (client) =>
        looksAgain(client, (tag) =>
          client.insist('addTicketComment', answering('answer-1', tag, 'Choose the night again')),
        ),
    },
    phone: {
      as: patient,
      does: ({ insist }) => insist('addOwnTicketComment', commenting('comment-1', 'It is the night to Monday')),
    },
  },
  consumers: ['publishTicketEvents'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'the history is linearizable, and each ETag is that of the state that was answered': (end) =>
      assert.equal(explains(end), true),
    'nobody is refused without a change that was not seen': ({ calls }) => {
      for (const call of calls) {
        if (isOpen(call) || [200, 201].includes(call.answer.status)) continue;
        assert.equal(call.answer.status, 412, `${call.client} got ${call.answer.status} ${codeOf(call)}`);
      }
    },
    'the comment of the patient is written': (end) => {
      const own = commentRows(end).filter(({ by }) => by === 'patient');
      assert.equal(own.length, 1);
      assert.equal(end.calls.filter(({ client }) => client === 'phone').at(-1)?.answer.status, 201);
    },
    'a ticket that was answered has its first answer': (end) => {
      const { firstAnsweredAt, state, priority, assigneeId } = theTicket(end);
      const [answer] = commentRows(end).filter(({ by }) => by === 'support');
      assert.equal(firstAnsweredAt, answer?.createdAt ?? null);
      assert.equal(state, answer ? 'open' : 'new');
      assert.equal(assigneeId, priority === 'high' ? agent.userId : null);
    },
    ...ticketInvariants,
  },
};
