import { randomUUID } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Board, StoredMessage } from '../../functions/agent-board/rules/board.ts';
import { readBoard, readPage } from '../../functions/agent-board/stores/messages.ts';
import { readUnreadPage } from '../../functions/agent-board/stores/unread.ts';
import {
  addMessage,
  type ChangeOptions,
  markRead,
  markReadUpTo,
  removeMessage,
} from '../../functions/agent-board/workflows/record-change.ts';
import { type DynamoDbOptions, startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { partition } from '../partition.ts';
import { createTables, handlesNamed } from '../tables.ts';

/** Agent boards on the local DynamoDB, driven without HTTP: clock and faults are the test's. */

/** As often as a function tries, and without its time-outs, within which a busy machine may not answer. */
const patient = { maxAttempts: callLimits.maxAttempts };

/** @param limits of the calls of boards */
export async function openBoards(options: DynamoDbOptions = {}, limits: DynamoDBClientConfig = patient) {
  const database = await startDynamoDb(options);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const open = (more: DynamoDBClientConfig) =>
    documentsOf(new DynamoDBClient({ ...more, endpoint: database.url, region: 'eu-central-1', credentials }));
  const [client, creator] = [open(limits), open(patient)];
  await createTables(creator, ['AgentBoardMessages']);
  creator.destroy();
  return {
    board: (now: () => Date = () => new Date(), options: Partial<ChangeOptions> = {}) => boardOf(client, now, options),
    async close() {
      client.destroy();
      await database.close();
    },
  };
}

function boardOf(client: DynamoDBDocumentClient, now: () => Date, varied: Partial<ChangeOptions>) {
  const { AgentBoardMessages: table } = handlesNamed(client, ['AgentBoardMessages']);
  const userId = randomUUID();
  // A change is decided anew only after another one was through: no more retries than there are other callers.
  const options = { id: randomUUID, pause: async () => undefined, ...varied };
  return {
    userId,
    post: (body = 'Text') => {
      const draft = { userId, authorId: 'agent', title: 'Title', body };
      return addMessage(table, { ...draft, now: now() }, options);
    },
    read: (messageId: string) => markRead(table, { userId, messageId, now: now() }, options),
    readUpTo: (messageId: string) => markReadUpTo(table, { userId, messageId, now: now() }, options),
    remove: (messageId: string) => removeMessage(table, { userId, messageId }, options),
    /** A board of so many messages, of which so many, the oldest, are unread. */
    plant: async (count: number, body: string, unread = count): Promise<void> => {
      const row = (index: number) => {
        const messageId = `0${String(index).padStart(8, '0')}`;
        const createdAt = '2020-01-01T00:00:00.000Z';
        const event = { eventId: messageId, unreadCountAfter: index + 1, boardRevision: index + 1 };
        const readAt = index < unread ? null : createdAt;
        return { userId, messageId, authorId: 'agent', title: 'Title', body, createdAt, readAt, ...event };
      };
      for (let from = 0; from < count; from += 25) {
        const puts = Array.from({ length: Math.min(25, count - from) }, (_, index) => ({
          PutRequest: { Item: row(from + index) },
        }));
        await client.send(new BatchWriteCommand({ RequestItems: { [table.name]: puts } }));
      }
      const Item = { userId, messageId: '~board', revision: count, unreadCount: unread, latestAt: row(0).createdAt };
      await client.send(new PutCommand({ TableName: table.name, Item }));
    },
    /** All pages of the unread messages. */
    unread: async (limit: number) => {
      const pages: StoredMessage[][] = [];
      let next: { messageId: string; left: number } | null = null;
      do {
        const page = { limit, after: next?.messageId ?? null, left: next?.left ?? null };
        const found: Awaited<ReturnType<typeof readUnreadPage>> = await readUnreadPage(table, { userId }, page);
        pages.push(found.messages);
        next = found.next;
      } while (next);
      return pages;
    },
    page: (limit: number, after: string | null = null) => readPage(table, { userId }, { limit, after }),
    count: () => readBoard(table, { userId }),
    /** All rows of messages, oldest first, and what the board says. */
    rows: async (): Promise<{ messages: StoredMessage[]; board: Board | undefined }> => {
      const rows = (await partition(client, table.name, { userId })) as (StoredMessage & Board)[];
      const isBoard = (row: object) => 'latestAt' in row;
      const isMark = ({ messageId }: { messageId: string }) => messageId.startsWith('!');
      return { messages: rows.filter((row) => !isBoard(row) && !isMark(row)), board: rows.find(isBoard) };
    },
  };
}

export type OpenBoard = ReturnType<typeof boardOf>;
