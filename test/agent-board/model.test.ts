import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runs } from '../runs.ts';
import { type OpenBoard, openBoards } from './open-board.ts';

/**
 * Rounds of posts and readings by several callers at once, in every mixture and with a clock that jumps, against the real
 * store: whatever order they came in, the count is that of the unread messages, and each event tells the count after it.
 */

const opened = await openBoards();
afterAll(() => opened.close());

/** Which message is read is a number that is folded onto those that are there. */
const call = fc.oneof(fc.constant('post' as const), fc.nat({ max: 20 }));
const rounds = fc.array(
  fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: 6 }),
    clock: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test('the count is always that of the unread messages', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      let now = Date.parse('2026-03-01T12:00:00.000Z');
      const board = opened.board(() => new Date(now));
      let before: Rows = [];
      for (const { calls, clock } of plan) {
        now += clock;
        await Promise.all([
          ...calls.map((one) => carryOut(board, one, before)),
          // Somebody who reads the board meanwhile meets a count that is possible.
          board.page(5).then(({ unreadCount }) => expect(unreadCount).toBeGreaterThanOrEqual(0)),
        ]);
        before = await assertExplained(board, before, calls);
      }
    }),
    { numRuns: runs(25) },
  );
});

type Call = 'post' | number;
type Rows = Awaited<ReturnType<OpenBoard['rows']>>['messages'];

async function carryOut(board: OpenBoard, one: Call, there: Rows): Promise<void> {
  if (one === 'post') expect((await board.post()).messageId).toBeTypeOf('string');
  else if (there.length === 0) expect(await board.read(`none-${one}`)).toBeNull();
  else expect(await board.read(there[one % there.length]?.messageId ?? '')).not.toBeNull();
}

/** @returns the messages as they are now */
async function assertExplained(board: OpenBoard, before: Rows, calls: readonly Call[]): Promise<Rows> {
  const { messages, board: head } = await board.rows();
  const unread = messages.filter(({ readAt }) => readAt === null).length;
  expect(head?.unreadCount ?? 0).toBe(unread);
  expect((await board.page(1)).unreadCount).toBe(unread);
  // Every post is there once, after all that were there, and every reading took effect.
  expect(messages).toHaveLength(before.length + calls.filter((one) => one === 'post').length);
  const added = messages.slice(before.length);
  expect(messages.slice(0, before.length).map(({ messageId }) => messageId)).toEqual(
    before.map(({ messageId }) => messageId),
  );
  for (const one of calls) {
    if (one !== 'post' && before.length > 0) expect(messages[one % before.length]?.readAt).not.toBeNull();
  }
  // What was read keeps its first time and its event.
  for (const [index, row] of before.entries()) if (row.readAt !== null) expect(messages[index]).toEqual(row);
  const times = messages.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...new Set(times)].toSorted());
  assertCounted(messages, head?.revision ?? 0);
  expect(added.map(({ userId }) => userId)).toEqual(added.map(() => board.userId));
  return messages;
}

/** Each change has a revision of its own; those that are still to be seen tell counts that can follow each other. */
function assertCounted(messages: Rows, revision: number): void {
  const events = messages.toSorted((a, b) => a.boardRevision - b.boardRevision);
  expect(revision).toBe(messages.length + messages.filter(({ readAt }) => readAt !== null).length);
  expect(new Set(events.map(({ boardRevision }) => boardRevision)).size).toBe(events.length);
  for (const { messageId, readAt, eventId } of messages) {
    expect(eventId).toBe(readAt === null ? messageId : `${messageId}.read`);
  }
  const last = events.at(-1);
  if (!last) return;
  expect(last.boardRevision).toBe(revision);
  expect(last.unreadCountAfter).toBe(messages.filter(({ readAt }) => readAt === null).length);
}
