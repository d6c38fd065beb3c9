import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { boardKey, readBoth } from '../../functions/agent-board/stores/messages.ts';
import { handlesNamed } from '../tables.ts';

/** A message and its board are read at once, and the board is never shown as it was before the message. */

const named = { userId: 'u', messageId: 'm' };
const board = (revision: number) => ({ revision, unreadCount: revision, latestAt: '' });
const message = { ...named, boardRevision: 2 };

/** @param boards what each reading of the board finds, in order */
async function readFrom(found: object | null, boards: readonly (object | null)[]) {
  const left = [...boards];
  const asked: string[] = [];
  const client = {
    send: async ({ input }: { input: { Key: { messageId: string } } }) => {
      const { messageId } = input.Key;
      asked.push(messageId);
      return { Item: (messageId === boardKey ? left.shift() : found) ?? undefined };
    },
  } as unknown as DynamoDBDocumentClient;
  const both = await readBoth(handlesNamed(client, ['AgentBoardMessages']).AgentBoardMessages, named);
  return { ...both, asked };
}

test.each([2, 3])('a board of revision %i is with the message or later: each is read once', async (revision) => {
  const both = await readFrom(message, [board(revision)]);
  expect(both).toEqual({ found: message, board: board(revision), asked: ['m', boardKey] });
});

test('a board from before the message’s last change is read again', async () => {
  const both = await readFrom(message, [board(1), board(2)]);
  expect(both).toEqual({ found: message, board: board(2), asked: ['m', boardKey, boardKey] });
});

test('where the message is gone, or the board was not there yet, the board is read again', async () => {
  expect((await readFrom(null, [board(1), board(2)])).board).toEqual(board(2));
  expect((await readFrom(message, [null, board(2)])).board).toEqual(board(2));
  expect((await readFrom(null, [null, null])).board).toBeNull();
});
