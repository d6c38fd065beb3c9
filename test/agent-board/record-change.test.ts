import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChangeOptions } from '../../functions/agent-board/workflows/record-change.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { Failure, isUnavailable } from '../../lib/runtime/failure.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { longestWaitMs, type Outage } from '../runtime/longest-wait.ts';
import { type OpenBoard, openBoards } from './open-board.ts';

let opened: Awaited<ReturnType<typeof openBoards>> | undefined;
afterEach(() => opened?.close());

type Plan = {
  now?: () => Date;
  fault?: (call: Call, write: number) => Fault | undefined;
  limits?: DynamoDBClientConfig;
  pause?: ChangeOptions['pause'];
};

/** Writes are counted from 1. */
async function open({ now = () => new Date(), fault, limits, pause }: Plan = {}): Promise<OpenBoard> {
  let writes = 0;
  const intercept = (call: Call) => {
    if (call.action === 'CreateTable') return undefined;
    if (isWrite(call)) writes += 1;
    return fault?.(call, writes);
  };
  opened = await openBoards({ intercept }, limits);
  return opened.board(now, pause && { pause });
}

/** Each caller tries so often beside all others, and then when nobody else does: so each is through within its retries. */
function turns(freeTries: number) {
  const waiting: (() => void)[] = [];
  let trying = 0;
  const leave = () => {
    trying -= 1;
    if (trying > 0) return;
    trying += waiting.length > 0 ? 1 : 0;
    waiting.shift()?.();
  };
  return {
    pause: async (attempt: number) => {
      if (attempt < freeTries) return;
      await new Promise<void>((go) => {
        waiting.push(go);
        leave();
      });
    },
    call: async <T>(work: () => Promise<T>): Promise<T> => {
      trying += 1;
      return work().finally(leave);
    },
  };
}

const isWrite = ({ action }: Call) => action === 'TransactWriteItems';

describe('races', () => {
  test('20 parallel posts are 20 messages, in the order of their ids, and a count of 20', async () => {
    const { pause, call } = turns(5);
    const { post, rows } = await open({ now: () => new Date('2026-03-01T12:00:00.000Z'), pause });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(() => post())));
    const { messages, board } = await rows();
    expect(messages.map(({ messageId }) => messageId)).toEqual(answers.map(({ messageId }) => messageId).toSorted());
    expect(messages.map(({ unreadCountAfter }) => unreadCountAfter)).toEqual(messages.map((_, index) => index + 1));
    expect(board).toMatchObject({ unreadCount: 20, revision: 20 });
  });

  test('20 parallel readings of one message are one, with one time and one count', async () => {
    const { post, read, rows } = await open();
    await post();
    const { messageId } = await post();
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(messageId)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await rows()).board).toMatchObject({ unreadCount: 1, revision: 3 });
  });

  test('a message that is read between the looks at it and at its board is not counted down twice', async () => {
    let between: (() => Promise<unknown>) | undefined;
    let reading: Promise<unknown> | undefined;
    const board = await open({
      fault: ({ action, input }) => {
        if (action !== 'GetItem' || String(Object(input.Key).messageId?.S) !== '~board' || !between) return undefined;
        // The message was looked at, unread. Until its board is asked for again, another call is through.
        const start = between;
        between = undefined;
        reading = start();
        return 'throttle';
      },
    });
    await board.post();
    const { messageId } = await board.post();
    between = () => board.read(messageId);
    const answer = await board.read(messageId);
    expect(answer).toEqual(await reading);
    expect((await board.rows()).board).toMatchObject({ unreadCount: 1, revision: 3 });
  });
});

describe('faults', () => {
  test.each([
    ['once, so that the retry meets its own write', 1],
    ['three times, so that only a look at the message tells', 3],
  ])('an answer lost after the commit %s is a success once', async (_name, losses) => {
    let from = 0;
    const fault = (call: Call, write: number): Fault | undefined =>
      isWrite(call) && write > from && write <= from + losses ? 'lose-response' : undefined;
    const { post, read, rows } = await open({ fault });
    const { messageId, ...message } = await post();
    expect((await rows()).messages).toEqual([expect.objectContaining({ messageId, ...message })]);
    from = losses;
    const first = await read(messageId);
    expect(first).toEqual({ readAt: expect.any(String), unreadCount: 0 });
    expect(await read(messageId)).toEqual(first);
    expect((await rows()).board).toMatchObject({ unreadCount: 0, revision: 2 });
  });

  test('a repetition that is refused while the first try goes through is a success once', async () => {
    let from = 0;
    const { post, read, rows } = await open({
      fault: (call, write) => {
        if (!isWrite(call)) return undefined;
        if (write === from + 1) return 'lose-response';
        return write === from + 2 ? 'conflict' : undefined;
      },
    });
    const { messageId } = await post();
    expect((await rows()).messages).toHaveLength(1);
    from = 2;
    expect(await read(messageId)).toMatchObject({ unreadCount: 0 });
    expect((await rows()).board).toMatchObject({ unreadCount: 0, revision: 2 });
  });

  test('after three conflicts the decision is made again until it succeeds', async () => {
    const { post, rows } = await open({
      fault: (call, write) => (isWrite(call) && write <= 3 ? 'conflict' : undefined),
    });
    await post();
    expect((await rows()).board).toMatchObject({ unreadCount: 1, revision: 1 });
  });

  test('contention that outlasts ten retries is UNAVAILABLE, with nothing written', async () => {
    let tries = 0;
    const { post, rows } = await open({
      fault: (call) => {
        if (!isWrite(call)) return undefined;
        tries += 1;
        return 'conflict';
      },
    });
    await expect(post()).rejects.toEqual(new Failure(Unavailable));
    expect(tries).toBe(11);
    expect(await rows()).toEqual({ messages: [], board: undefined });
  });

  test.each<[string, Fault, Outage]>([
    ['throttles', 'throttle', 'THROTTLING'],
    ['fails', 'error', 'TRANSIENT'],
    ['hangs', 'hang', 'TRANSIENT'],
  ])('a table that %s for ever is an outage within the time of a function', async (_name, fault, outage) => {
    let calls = 0;
    const { post } = await open({
      fault: () => {
        calls += 1;
        return fault;
      },
      // Only what hangs meets the time limit: on a busy machine others could meet it, too.
      limits: fault === 'hang' ? callLimits : { maxAttempts: callLimits.maxAttempts },
    });
    const error = await post().catch((reason: unknown) => reason);
    expect(isUnavailable(error) || error instanceof Failure).toBe(true);
    expect(calls).toBe(callLimits.maxAttempts);
    expect(await longestWaitMs(callLimits, outage)).toBeLessThan(9_000);
  });
});

describe('a page', () => {
  test('says of a board without a message that nothing is unread', async () => {
    expect(await (await open()).page(20)).toEqual({ messages: [], next: null, unreadCount: 0 });
  });

  test('ends where a Query does, at a megabyte, and the next goes on from there', async () => {
    const { post, page } = await open();
    const ids: string[] = [];
    // DynamoDB counts bytes, up to 30,000 of such a text; the local one counts its characters.
    for (let index = 0; index < 110; index += 1) ids.push((await post('€'.repeat(10_000))).messageId);
    const first = await page(200);
    expect(first.messages.length).toBeGreaterThan(30);
    expect(first.messages.length).toBeLessThan(110);
    expect(first).toMatchObject({ next: first.messages.at(-1)?.messageId, unreadCount: 110 });
    const second = await page(200, first.next);
    expect(second).toMatchObject({ unreadCount: 110 });
    const shown = [...first.messages, ...second.messages].map(({ messageId }) => messageId);
    expect(shown.slice(0, 60)).toEqual(ids.toReversed().slice(0, 60));
    expect(new Set(shown).size).toBe(shown.length);
  });
});
