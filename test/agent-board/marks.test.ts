import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookedThrough } from '../../functions/agent-board/stores/unread.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import { runs } from '../runs.ts';
import { type OpenBoard, openBoards } from './open-board.ts';

/** All messages up to one, and deletions, against posts and readings: the count stays that of the unread messages. */

let opened: Awaited<ReturnType<typeof openBoards>>;
let fault: ((call: Call, write: number) => Fault | undefined) | undefined;
let calls: Call[] = [];
beforeAll(async () => {
  let writes = 0;
  opened = await openBoards({
    intercept: (call) => {
      calls.push(call);
      if (call.action === 'TransactWriteItems') writes += 1;
      return fault?.(call, writes);
    },
  });
});
afterAll(() => opened.close());

const isWrite = ({ action }: Call) => action === 'TransactWriteItems';

/** The first so many writes from now on. */
function failing(kind: Fault, times = Number.POSITIVE_INFINITY): void {
  let met = 0;
  fault = (call) => {
    if (!isWrite(call) || met >= times) return undefined;
    met += 1;
    return kind;
  };
}

async function withMessages(count: number, now?: () => Date) {
  fault = undefined;
  const board = opened.board(now);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await board.post()).messageId);
  calls = [];
  return { board, ids, at: (index: number) => ids.at(index) ?? '' };
}

/** Oldest first. */
async function shown(board: OpenBoard) {
  return (await board.page(100)).messages.toReversed();
}

describe('all up to a message', () => {
  test('are read at one time, in one write; what was read before keeps its own', async () => {
    let now = Date.parse('2026-03-01T12:00:00.000Z');
    const { board, ids, at } = await withMessages(5, () => new Date(now));
    now += 60_000;
    const first = await board.read(at(1));
    now += 60_000;
    calls = [];
    const mark = await board.readUpTo(at(3));
    expect(mark).toEqual({ readAt: '2026-03-01T12:02:00.000Z', unreadCount: 1 });
    expect(calls.filter(isWrite)).toHaveLength(1);
    expect((await shown(board)).map(({ readAt }) => readAt)).toEqual([
      mark?.readAt,
      first?.readAt,
      mark?.readAt,
      mark?.readAt,
      null,
    ]);
    expect((await board.unread(2)).flat().map(({ messageId }) => messageId)).toEqual([ids[4]]);
    now += 60_000;
    // Again, or up to an older one: nothing is new, and the first time is answered.
    calls = [];
    expect(await board.readUpTo(at(3))).toEqual(mark);
    expect(await board.readUpTo(at(0))).toEqual(mark);
    expect(await board.readUpTo(at(1))).toEqual({ ...first, unreadCount: 1 });
    expect(await board.read(at(2))).toEqual(mark);
    expect(calls.filter(isWrite)).toEqual([]);
    // A second mark leaves what the first one read.
    await board.readUpTo(at(4));
    expect((await shown(board)).map(({ readAt }) => readAt?.slice(14, 16))).toEqual(['02', '01', '02', '02', '03']);
  });

  test('where each was read by itself writes nothing', async () => {
    const { board, at } = await withMessages(2);
    const { readAt } = (await board.read(at(0))) ?? {};
    calls = [];
    expect(await board.readUpTo(at(0))).toEqual({ readAt, unreadCount: 1 });
    expect(calls.filter(isWrite)).toEqual([]);
  });

  test('of a message that is not there is nothing', async () => {
    const { board } = await withMessages(1);
    expect(await board.readUpTo('none')).toBeNull();
    expect(await board.remove('none')).toEqual({ unreadCount: 1 });
  });

  test('a clock that steps back reads nothing before it was there', async () => {
    let now = Date.parse('2026-03-01T12:00:00.000Z');
    const { board, at } = await withMessages(2, () => new Date(now));
    now -= 3_600_000;
    expect((await board.readUpTo(at(1)))?.readAt).toBe('2026-03-01T12:00:00.001Z');
  });

  test('of 5,000 long messages: the oldest, one in the middle, the newest', async () => {
    fault = undefined;
    const board = opened.board();
    await board.plant(5_000, 'x'.repeat(1_000));
    for (const [index, unreadCount] of [
      [0, 4_999],
      [2_500, 2_499],
      [4_999, 0],
    ] as const) {
      calls = [];
      expect(await board.readUpTo(`0${String(index).padStart(8, '0')}`)).toMatchObject({ unreadCount });
      expect(calls.filter(isWrite)).toHaveLength(1);
      // Of five megabytes at most half, on either side.
      expect(calls.filter(({ action }) => action === 'Query').length).toBeLessThanOrEqual(7);
      expect((await board.count())?.unreadCount).toBe(unreadCount);
    }
  });
});

describe('a deletion', () => {
  test('takes the message and its part of the count, and tells devices of the count where it was unread', async () => {
    const { board, at } = await withMessages(3);
    await board.read(at(0));
    expect(await board.remove(at(0))).toEqual({ unreadCount: 2 });
    expect((await board.rows()).board).not.toHaveProperty('eventId');
    expect(await board.remove(at(1))).toEqual({ unreadCount: 1 });
    const told = { eventId: `${at(1)}.deleted`, unreadCountAfter: 1, boardRevision: 6 };
    expect((await board.rows()).board).toMatchObject(told);
    expect(await board.remove(at(1))).toEqual({ unreadCount: 1 });
    expect((await board.count())?.revision).toBe(6);
    // The event is that of one change, not of the next.
    await board.post();
    expect((await board.rows()).board).not.toHaveProperty('eventId');
    expect((await shown(board)).map(({ messageId }) => messageId)).toContain(at(2));
    expect((await board.count())?.unreadCount).toBe(2);
  });

  test('of what a mark has read changes no count; that of the mark’s own message leaves the mark', async () => {
    const { board, at } = await withMessages(3);
    const mark = await board.readUpTo(at(1));
    expect(await board.remove(at(1))).toEqual({ unreadCount: 1 });
    expect((await shown(board)).map(({ readAt }) => readAt)).toEqual([mark?.readAt, null]);
  });
});

describe('the unread messages', () => {
  test.each([1, 2, 7, 100])('pages of %s hold each once, and end with the last', async (limit) => {
    const { board, ids } = await withMessages(8);
    for (const index of [1, 2, 5]) await board.read(ids[index] ?? '');
    const pages = await board.unread(limit);
    expect(pages.flat().map(({ messageId }) => messageId)).toEqual([7, 6, 4, 3, 0].map((index) => ids[index]));
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test('nobody walks through what was read: a page has no next where all unread were shown, or a mark is reached', async () => {
    fault = undefined;
    const board = opened.board();
    await board.plant(500, 'Text');
    await board.readUpTo('000000499');
    const [one, two] = [await board.post(), await board.post()];
    calls = [];
    expect((await board.unread(20)).flat().map(({ messageId }) => messageId)).toEqual([two.messageId, one.messageId]);
    await board.remove(two.messageId);
    expect(await board.unread(1)).toHaveLength(1);
    expect(calls.filter(({ action }) => action === 'Query')).toHaveLength(2);
  });

  test('a page looks through 100 messages, and says where to go on', async () => {
    fault = undefined;
    const board = opened.board();
    await board.plant(3 * lookedThrough, 'Text', 1);
    const pages = await board.unread(20);
    expect(pages.map(({ length }) => length)).toEqual([0, 0, 1]);
    expect(pages.flat()[0]?.messageId).toBe('000000000');
  });
});

describe('faults', () => {
  test.each([1, 3])('an answer lost after the commit %s times is a success once', async (losses) => {
    const { board, at } = await withMessages(3);
    failing('lose-response', losses);
    const mark = await board.readUpTo(at(1));
    expect(mark).toEqual({ readAt: expect.any(String), unreadCount: 1 });
    failing('lose-response', losses);
    expect(await board.remove(at(2))).toEqual({ unreadCount: 0 });
    fault = undefined;
    expect(await board.count()).toMatchObject({ revision: 5, unreadCount: 0, readUpTo: at(1) });
  });

  test('contention that outlasts the retries is UNAVAILABLE, with nothing changed', async () => {
    const { board, at } = await withMessages(2);
    failing('conflict');
    await expect(board.readUpTo(at(1))).rejects.toEqual(new Failure(Unavailable));
    await expect(board.remove(at(1))).rejects.toEqual(new Failure(Unavailable));
    fault = undefined;
    expect(await board.count()).toMatchObject({ revision: 2, unreadCount: 2 });
  });
});

type Step = 'post' | { kind: 'read' | 'readUpTo' | 'remove'; which: number };

/** Which message is a number that is folded onto those that are there. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant('post' as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('read' as const, 'readUpTo' as const, 'remove' as const),
      which: fc.nat({ max: 20 }),
    }),
  },
);
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });

test('of every mixture of calls the count is that of the unread messages, and a first time stays', async () => {
  fault = undefined;
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const board = opened.board();
      for (let index = 0; index < 3; index += 1) await board.post();
      let before = await shown(board);
      for (const steps of plan) {
        await Promise.all(steps.map((one) => carryOut(board, one, before)));
        const after = await shown(board);
        await assertExplained(board, before, after, steps);
        before = after;
      }
    }),
    { numRuns: runs(10) },
  );
});

type Shown = Awaited<ReturnType<typeof shown>>;

function named({ which }: { which: number }, there: Shown): string {
  return there[which % Math.max(there.length, 1)]?.messageId ?? 'none';
}

async function carryOut(board: OpenBoard, one: Step, there: Shown): Promise<void> {
  if (one === 'post') await board.post();
  else await board[one.kind](named(one, there));
}

async function assertExplained(board: OpenBoard, before: Shown, after: Shown, steps: Step[]): Promise<void> {
  const unread = after.filter(({ readAt }) => readAt === null);
  expect((await board.count())?.unreadCount).toBe(unread.length);
  const listed = (await board.unread(2)).flat();
  expect(listed.map(({ messageId }) => messageId)).toEqual(unread.map(({ messageId }) => messageId).toReversed());
  const removed = steps.flatMap((one) => (one !== 'post' && one.kind === 'remove' ? [named(one, before)] : []));
  const posts = steps.filter((one) => one === 'post').length;
  const kept = before.filter(({ messageId }) => !removed.includes(messageId));
  expect(after.slice(0, kept.length).map(({ messageId }) => messageId)).toEqual(kept.map(({ messageId }) => messageId));
  expect(after).toHaveLength(kept.length + posts);
  for (const { messageId, readAt } of kept) {
    const now = after.find((message) => message.messageId === messageId);
    if (readAt !== null) expect(now?.readAt).toBe(readAt);
    const isRead = steps.some((one) => {
      if (one === 'post' || one.kind === 'remove') return false;
      return one.kind === 'read' && named(one, before) === messageId;
    });
    if (isRead) expect(now?.readAt).not.toBeNull();
  }
}
