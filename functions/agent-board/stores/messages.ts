import { all, between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { get, query } from '../../../lib/runtime/rows.ts';
import { type Board, isMarked, type Mark, type StoredMark, type StoredMessage } from '../rules/board.ts';
import type { AgentBoardMessages } from '../tables.ts';

/**
 * Table `AgentBoardMessages`. A user's partition holds the messages by `messageId` and, under `~board`, the board itself:
 * `~` sorts after every character of an id, so that a Query from the end meets the board first and then the newest
 * messages. The marks are under `!read.<messageId>`, before all of them. Every read is strongly consistent.
 */

export const boardKey = '~board';

export function markKey(upTo: string): string {
  return `!read.${upTo}`;
}

type Owner = { userId: string };
export type Named = Owner & { messageId: string };

export async function readBoard(table: AgentBoardMessages<'get'>, { userId }: Owner): Promise<Board | null> {
  const row = await get<Board>(table, { userId, messageId: boardKey });
  return row && boardOf(row);
}

/** Without the key, and without the event of the change that the row may be the outcome of. */
function boardOf({ revision, unreadCount, latestAt, readUpTo }: Board): Board {
  return { revision, unreadCount, latestAt, ...(readUpTo !== undefined && { readUpTo }) };
}

export async function readMessage(
  table: AgentBoardMessages<'get'>,
  { userId, messageId }: Named,
): Promise<StoredMessage | null> {
  return get<StoredMessage>(table, { userId, messageId });
}

export async function readMark(
  table: AgentBoardMessages<'get'>,
  { userId, upTo }: Owner & { upTo: string },
): Promise<StoredMark | null> {
  return get<StoredMark>(table, { userId, messageId: markKey(upTo) });
}

/** Messages as their user sees them: what a mark has read has the time of the first mark that did. Newest first, as given. */
async function withMarks(
  table: AgentBoardMessages<'query'>,
  board: Board | null,
  messages: readonly StoredMessage[],
): Promise<StoredMessage[]> {
  const marked = messages.filter(({ messageId, readAt }) => readAt === null && isMarked(board, messageId));
  const marks = await marksOver(table, marked);
  // Their keys increase, and so do their times.
  const firstOver = (messageId: string) => marks.find(({ upTo }) => upTo >= messageId)?.readAt ?? null;
  return messages.map((message) =>
    marked.includes(message) ? { ...message, readAt: firstOver(message.messageId) } : message,
  );
}

/** From the first mark over the oldest of these messages to the first over the newest; in one Query where each has its own. */
async function marksOver(table: AgentBoardMessages<'query'>, messages: readonly StoredMessage[]): Promise<Mark[]> {
  const [newest, oldest] = [messages[0], messages.at(-1)];
  if (!newest || !oldest) return [];
  const marks: Mark[] = [];
  const asked = {
    ...inPartition({ userId: oldest.userId }, { messageId: between(markKey(oldest.messageId), markKey('~')) }),
    Limit: messages.length + 1,
  };
  for await (const mark of queryEach<StoredMark>(table, asked)) {
    marks.push(mark);
    if (mark.upTo >= newest.messageId) break;
  }
  return marks;
}

export type Shown = { message: StoredMessage; board: Board };

/** A message as its user sees it, and the board as it was with it or later. */
export async function readShown(table: AgentBoardMessages<'get' | 'query'>, named: Named): Promise<Shown | null> {
  const { found, board } = await readBoth(table, named);
  if (!found || !board) return null;
  const [message = found] = await withMarks(table, board, [found]);
  return { message, board };
}

/**
 * A message and its board, at once. The message says at which revision it last changed: a board that was read before that is
 * read again, so that a count beside `readAt` is never older than it. Nor is one without the message: it may be gone just now.
 */
export async function readBoth(table: AgentBoardMessages<'get'>, named: Named) {
  const [found, seen] = await Promise.all([readMessage(table, named), readBoard(table, named)]);
  const isOlder = !found || !seen || seen.revision < found.boardRevision;
  return { found, board: isOlder ? await readBoard(table, named) : seen };
}

export type MessagePage = { messages: StoredMessage[]; next: string | null; unreadCount: number };

/**
 * A page of a user's messages, newest first, and how many are unread on the whole board. One Query; where a page begins
 * further down, out of whose reach the board is, one GetItem beside it; and where marks have read some of it, one for these.
 *
 * @param after the `messageId` that the previous page ended with
 */
export async function readPage(
  table: AgentBoardMessages<'get' | 'query'>,
  owner: Owner,
  { limit, after }: { limit: number; after: string | null },
): Promise<MessagePage> {
  // One more than asked for tells whether there is a next page.
  const { messages, board, isEnd } = await readRows(table, owner, { count: limit + 1, after });
  const shown = messages.slice(0, limit);
  // DynamoDB ends a Query at a megabyte: such a page is shorter, rather than a second Query.
  const hasMore = messages.length > limit || !isEnd;
  return {
    messages: await withMarks(table, board, shown),
    next: hasMore ? (shown.at(-1)?.messageId ?? null) : null,
    unreadCount: board?.unreadCount ?? 0,
  };
}

/**
 * So many messages from the newest or from `after` on, or fewer where DynamoDB ends a Query, and the board.
 *
 * @returns `isEnd` where no older message is there
 */
export async function readRows(
  table: AgentBoardMessages<'get' | 'query'>,
  owner: Owner,
  { count, after }: { count: number; after: string | null },
): Promise<{ messages: StoredMessage[]; board: Board | null; isEnd: boolean }> {
  const { userId } = owner;
  const asked = {
    ...inPartition({ userId }, { messageId: all }, after),
    ScanIndexForward: false,
    // The first page's Query begins with the board.
    Limit: count + (after === null ? 1 : 0),
  };
  const [found, known] = await Promise.all([query(table, asked), after === null ? null : readBoard(table, owner)]);
  const rows = found.Items ?? [];
  const board = rows.find((row): row is Named & Board => row.messageId === boardKey);
  return {
    messages: rows.filter((row): row is StoredMessage => row.messageId !== boardKey && !isMark(row)),
    board: board ? boardOf(board) : known,
    // Behind the oldest message the marks begin.
    isEnd: found.LastEvaluatedKey === undefined || rows.some(isMark),
  };
}

function isMark({ messageId }: Named): boolean {
  return messageId.startsWith(markKey(''));
}
