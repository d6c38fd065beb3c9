import assert from 'node:assert/strict';
import { orderedId } from '../../../functions/agent-board/rules/board.ts';
import { isLinearizable } from '../../../lib/explore/linearizable.ts';
import type { Client, End, Scenario } from '../../../lib/explore/scenario.ts';
import { phone } from '../../devices/explored/one-phone.ts';
import { drawnClients, type Operation } from '../../explorer/drawn.ts';
import { agent, otherAgent, otherPatient, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { pushesIn } from '../../push/explored/pushes.ts';
import { type Board, boardInvariants, boardOf, meets, messagesOf, observedOn, posting, unreadOf } from './board.ts';

/** Two phones of one user read, mark and delete what an agent posts. */

const { userId } = patient;
const timeOf = (index: number) => Date.parse(`2026-02-28T12:00:0${index}.000Z`);
const idOf = (index: number) => orderedId(timeOf(index), '00000000-0000-4000-8000-000000000000');
const [first, second] = [idOf(0), idOf(1)];

/** Two messages that nobody has read, with ids that the clients know. */
const rowsBefore = [
  ...[first, second].map((messageId, index) => ({
    ...{ userId, messageId, authorId: agent.userId, title: `before ${index}`, body: 'Text', readAt: null },
    createdAt: new Date(timeOf(index)).toISOString(),
    ...{ eventId: messageId, unreadCountAfter: index + 1, boardRevision: index + 1 },
  })),
  { userId, messageId: '~board', revision: 2, unreadCount: 2, latestAt: '2026-02-28T12:00:01.000Z' },
];

/** A message that was posted without an answer is known by the rows alone. */
function explains(end: End): boolean {
  const ofUser = end.calls.filter(({ request }) => (request.params?.userId ?? userId) === userId);
  const history = ofUser.map((call) => {
    if (call.operation !== 'postMessage' || call.answer.status === 201) return call;
    const { title } = call.request.body as { title: string };
    const made = messagesOf(end, userId).find((each) => each.title === title);
    return { ...call, answer: { ...call.answer, body: { messageId: made?.messageId ?? 'none' } as never } };
  });
  const last = messagesOf(end, userId).map(({ messageId }) => messageId);
  const unread = new Set(unreadOf(end, userId).map(({ messageId }) => messageId));
  const accepts = (board: Board) =>
    JSON.stringify(Object.entries(board).sort()) ===
    JSON.stringify(last.map((id) => [id, unread.has(id) ? 'unread' : 'read']));
  return isLinearizable<Board>({ [first]: 'unread', [second]: 'unread' }, history.map(observedOn), accepts);
}

const setUp: Scenario['setUp'] = async (given) => {
  await meets(given, patient);
  await given.put('AgentBoardMessages', ...rowsBefore);
  await given.call(patient, 'registerDevice', phone('first'));
};

export const twoReaders: Scenario = {
  name: 'two-readers',
  domain: 'agent-board',
  says: 'Two phones of one user read messages, one by one and all at once, while another one is posted.',
  setUp,
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('markMessageRead', { params: { messageId: first } }) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('markMessagesRead', { body: { upTo: second } });
        await insist('deleteMessage', { params: { messageId: first } });
      },
    },
    'an agent': { as: agent, does: ({ insist }) => insist('postMessage', posting(userId, 'new')) },
  },
  clockMoves: [-90_000_000, 60_000],
  invariants: {
    ...boardInvariants,
    ...served('phone B', 'an agent'),
    'the history of the board is linearizable': (end) => assert.ok(explains(end)),
    'who reads a message that is there finds it': ({ calls }) => {
      // The first one may be deleted meanwhile; the second one stays.
      for (const { operation, answer } of calls) {
        if (operation === 'markMessagesRead') assert.notEqual(answer.status, 404);
      }
    },
  },
};

const reading: Operation[] = [
  ...[first, second].flatMap((messageId) => [
    { operation: 'markMessageRead', request: { params: { messageId } } },
    { operation: 'deleteMessage', request: { params: { messageId } } },
  ]),
  ...[first, second].map((upTo) => ({ operation: 'markMessagesRead', request: { body: { upTo } } })),
];
/** Of one who writes: also to somebody whose board is empty. */
const writing = (titles: readonly string[]): Operation[] =>
  [userId, otherPatient.userId].flatMap((to) =>
    titles.map((title) => ({ operation: 'postMessage', request: posting(to, title, `${to} ${title}`) })),
  );

export const boardDrawn: Scenario = {
  name: 'board-drawn',
  domain: 'agent-board',
  says: 'Two phones of one user read, mark and delete messages while two agents post: three to eight changes each, which the seed draws.',
  setUp: async (given) => {
    await setUp(given);
    await meets(given, otherPatient);
  },
  ...drawnClients({
    'phone A': { as: patient, operations: reading },
    'phone B': { as: patient, operations: reading },
    'an agent': { as: agent, operations: writing(['one', 'two']) },
    'another agent': { as: otherAgent, operations: writing(['three', 'four']) },
  }),
  clockMoves: [-90_000_000, 60_000],
  invariants: {
    ...boardInvariants,
    'the history of the board is linearizable': (end) => assert.ok(explains(end)),
  },
};

const reads = (messageId: string) => ({
  as: patient,
  does: async ({ insist }: Client) => void (await insist('markMessageRead', { params: { messageId } })),
});
const posts = {
  as: agent,
  does: async ({ insist }: Client) => void (await insist('postMessage', posting(userId, 'new'))),
};

/** Whether the board's last change was a post: then the ordinary push carries the count. */
const endsWithPost = (end: End) =>
  messagesOf(end, userId).some(({ boardRevision, readAt }) => {
    return readAt === null && boardRevision === boardOf(end, userId)?.revision;
  });

const pushInvariants: Scenario['invariants'] = {
  'each message that was posted is pushed to the phone': (end) => {
    const shown = new Set(pushesIn(end).map(({ messageId }) => messageId));
    for (const { messageId, title } of messagesOf(end, userId)) if (title === 'new') assert.ok(shown.has(messageId));
  },
};

export const badges: Scenario = {
  name: 'badges',
  domain: 'push',
  says: 'Messages are posted and read while their pushes and badges are on their way.',
  setUp,
  clients: { 'phone A': reads(first), 'an agent': posts, 'phone B': reads(second) },
  consumers: ['dispatchPushes', 'sendPush'],
  clockMoves: [-3000],
  invariants: {
    ...boardInvariants,
    ...pushInvariants,
    ...served('phone A', 'phone B', 'an agent'),
    'the last silent push carries the count, unless a message was posted after it': (end) => {
      if (endsWithPost(end)) return;
      const silent = pushesIn(end).filter(({ messageId }) => messageId === null);
      assert.equal(silent.at(-1)?.badge, boardOf(end, userId)?.unreadCount);
    },
  },
};

/** An ordinary push sets the icon's number, too. */
export const badgeInTheEnd: Scenario = {
  name: 'badge-in-the-end',
  domain: 'push',
  says: 'A message is posted while another one is read: the number on the icon is the count in the end.',
  setUp,
  clients: { 'a phone': reads(first), 'an agent': posts },
  consumers: ['dispatchPushes', 'sendPush'],
  // What dies or hears no answer of SNS may send a push again, and so later than the next one.
  faults: { only: ['throttled', 'twice', 'unheard', 'clock'] },
  clockMoves: [-3000],
  invariants: {
    ...pushInvariants,
    ...served('a phone', 'an agent'),
    'the number on the icon is the count in the end': (end) => {
      assert.equal(pushesIn(end).at(-1)?.badge, boardOf(end, userId)?.unreadCount);
    },
  },
};
