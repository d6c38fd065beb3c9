import assert from 'node:assert/strict';
import { observed } from '../../../lib/explore/linearizable.ts';
import type { Call, End, Person, Request, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';

/** The board as the scenarios read it, and what holds for each. */

/** A profile as the app's first start makes it. */
export const profileOf = ({ userId, application }: Person) => ({
  userId,
  application,
  username: userId,
  email: null,
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  createdAt: '2026-01-01T00:00:00.000Z',
});

export const meets = async ({ put }: SetUp, ...people: readonly Person[]) => put('Users', ...people.map(profileOf));

/** @param key repeated with the same request, as an app does */
export const posting = (userId: string, title: string, key = title): Request => ({
  params: { userId },
  headers: { 'Idempotency-Key': key.replaceAll(' ', '-') },
  body: { title, body: 'Text' },
});

const isMessage = ({ messageId }: Row) => !/^[~!]/.test(messageId);

export function messagesOf({ rows }: Pick<End, 'rows'>, userId: string): Row[] {
  return rows('AgentBoardMessages')
    .filter((row) => row.userId === userId && isMessage(row))
    .toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1));
}

export function boardOf({ rows }: Pick<End, 'rows'>, userId: string): Row | undefined {
  return rows('AgentBoardMessages').find((row) => row.userId === userId && row.messageId === '~board');
}

export function unreadOf(end: Pick<End, 'rows'>, userId: string): Row[] {
  const upTo = boardOf(end, userId)?.readUpTo ?? '';
  return messagesOf(end, userId).filter(({ messageId, readAt }) => readAt === null && messageId > upTo);
}

const usersIn = ({ rows }: Pick<End, 'rows'>) => [...new Set(rows('AgentBoardMessages').map(({ userId }) => userId))];

export const boardInvariants: Scenario['invariants'] = {
  'the count of a board is the number of its unread messages': (end) => {
    for (const userId of usersIn(end)) {
      assert.equal(boardOf(end, userId)?.unreadCount, unreadOf(end, userId).length, userId);
    }
  },
  'each change of a board moves its revision by one': ({ changes }) => {
    const boards = changes('AgentBoardMessages').filter(({ after }) => after?.messageId === '~board');
    for (const { before, after } of boards) if (before) assert.equal(after?.revision, before.revision + 1);
  },
  'messages are in the order in which they were posted, whatever the clock says': ({ changes }) => {
    const posted = changes('AgentBoardMessages').flatMap(({ before, after }) =>
      before === null && after && isMessage(after) ? [after] : [],
    );
    for (const own of Map.groupBy(posted, ({ userId }) => userId).values()) {
      const ids = own.map(({ messageId }) => messageId);
      assert.deepEqual(ids, ids.toSorted());
      const times = own.map(({ createdAt }) => createdAt);
      assert.deepEqual(times, [...new Set(times)].toSorted());
    }
  },
  'each request posts one message, and every answer names it': ({ calls, changes }) => {
    const posted = changes('AgentBoardMessages').flatMap(({ before, after }) =>
      before === null && after && isMessage(after) ? [after] : [],
    );
    const requests = Map.groupBy(
      calls.filter(({ operation }) => operation === 'postMessage'),
      ({ request }) => `${request.params?.userId} ${(request.body as Row).title}`,
    );
    for (const [request, all] of requests) {
      const made = posted.filter(({ userId, title }) => `${userId} ${title}` === request);
      const named = all.flatMap(({ answer }) => (answer.status === 201 ? [String(answer.body.messageId)] : []));
      assert.ok(made.length <= 1, `${request} was posted ${made.length} times`);
      for (const id of named) assert.equal(id, made[0]?.messageId);
    }
  },
  'a message is read once, and every answer has the time of the first reading': ({ calls, changes }) => {
    const reads = calls.filter(({ operation, answer }) => operation === 'markMessageRead' && answer.status === 200);
    for (const [id, all] of Map.groupBy(reads, ({ request }) => request.params?.messageId)) {
      const times = new Set(all.map(({ answer }) => answer.body.readAt));
      assert.equal(times.size, 1, `${id} was read at ${[...times]}`);
    }
    for (const { before, after } of changes('AgentBoardMessages')) {
      if (before?.readAt && after) assert.equal(after.readAt, before.readAt);
    }
  },
};

/** What is on a user's board: whether each message is read. Ids sort by time. */
export type Board = Readonly<Record<string, 'unread' | 'read'>>;

const unreadIn = (board: Board) => Object.values(board).filter((each) => each === 'unread').length;

/** The register of a board: each answer has the count that its own change left. */
export function observedOn(call: Call) {
  const { operation, request, answer } = call;
  const fits = (board: Board) =>
    answer.status !== 200 || answer.body.unreadCount === unreadIn(board) ? board : undefined;
  switch (operation) {
    case 'postMessage':
      return observed<Board>(call, (board) => ({ [String(answer.body.messageId)]: 'unread', ...board }));
    case 'markMessageRead':
      return observed<Board>(call, (board) => {
        const id = request.params?.messageId ?? '';
        const isThere = id in board;
        if (answer.status === 404) return isThere ? undefined : board;
        return isThere ? fits({ ...board, [id]: 'read' }) : answer.status === 200 ? undefined : board;
      });
    case 'markMessagesRead': {
      const { upTo } = request.body as { upTo: string };
      const read = (id: string, state: Board[string]) => (id <= upTo ? 'read' : state);
      return observed<Board>(call, (board) => {
        if (answer.status === 404) return upTo in board ? undefined : board;
        return fits(Object.fromEntries(Object.entries(board).map(([id, state]) => [id, read(id, state)])));
      });
    }
    case 'deleteMessage':
      return observed<Board>(call, ({ [request.params?.messageId ?? '']: _, ...board }) => fits(board));
    default:
      throw new Error(operation);
  }
}
