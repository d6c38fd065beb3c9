import { query } from '../../../lib/runtime/rows.ts';
import { type Board, isMarked } from '../rules/board.ts';
import type { AgentBoardMessages } from '../tables.ts';
import { type MessagePage, type Named, readRows } from './messages.ts';

/** What is unread on a board. No index holds it: it is looked for among all messages, in bounds. */

/** Messages that one page looks through. */
export const lookedThrough = 100;

export type UnreadPage = Omit<MessagePage, 'next'> & { next: { messageId: string; left: number } | null };

/**
 * A page of the unread messages, newest first: one Query of at most 100 messages and a megabyte. It may hold fewer than
 * `limit`, or none, and still have a next one. It has none where all that the board counts as unread was shown, so that
 * nobody walks on through what was read long ago.
 *
 * @param page `left`: at most how many messages below `after` are unread, as the previous page said. None becomes unread later.
 */
export async function readUnreadPage(
  table: AgentBoardMessages<'get' | 'query'>,
  owner: { userId: string },
  page: { limit: number; after: string | null; left: number | null },
): Promise<UnreadPage> {
  const { limit, after } = page;
  const { messages, board, isEnd } = await readRows(table, owner, { count: lookedThrough, after });
  const unreadCount = board?.unreadCount ?? 0;
  const unread = messages.filter(({ messageId, readAt }) => readAt === null && !isMarked(board, messageId));
  const shown = unread.slice(0, limit);
  // What was posted after the board was read is not in its count.
  const counted = shown.filter(({ boardRevision }) => boardRevision <= (board?.revision ?? 0));
  const left = Math.min(page.left ?? unreadCount, unreadCount) - counted.length;
  const reached = unread.length > limit ? shown.at(-1) : messages.at(-1);
  const isLast = isEnd || !reached || isMarked(board, reached.messageId);
  const hasMore = unread.length > limit || (left > 0 && !isLast);
  return {
    messages: shown,
    next: hasMore && reached ? { messageId: reached.messageId, left } : null,
    unreadCount,
  };
}

/**
 * How many messages after this one are unread, as of the board's revision: a write of the board has this revision as a
 * condition. An app names the newest message that it knows, behind which little is. Where more than a megabyte is, what is
 * unread up to the message is counted beside it, and whichever ends first tells: at most half of what is unread is read, on
 * either side.
 */
export async function countUnreadAfter(
  table: AgentBoardMessages<'query'>,
  { userId, messageId }: Named,
  { unreadCount, readUpTo = '' }: Board,
): Promise<number> {
  const count = (range: string, values: Record<string, string>) =>
    unreadIn(table, `userId = :userId AND ${range}`, { ':userId': userId, ...values });
  const after = count('messageId > :id', { ':id': messageId });
  // The least key behind the last mark; before the first one, that of the least id.
  const upTo = count('messageId BETWEEN :from AND :id', { ':from': `${readUpTo}0`, ':id': messageId });
  let [unreadAfter, unreadUpTo] = [0, 0];
  for (;;) {
    const { value: above, done: isCounted } = await after.next();
    if (isCounted) return unreadAfter;
    unreadAfter += above.unread;
    if (above.isEnd) return unreadAfter;
    const { value: below, done } = await upTo.next();
    if (done) return unreadCount - unreadUpTo;
    unreadUpTo += below.unread;
    if (below.isEnd) return unreadCount - unreadUpTo;
  }
}

async function* unreadIn(
  table: AgentBoardMessages<'query'>,
  range: string,
  values: Record<string, string>,
): AsyncGenerator<{ unread: number; isEnd: boolean }, void, undefined> {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await query(table, {
      KeyConditionExpression: range,
      FilterExpression: 'attribute_type(readAt, :null)',
      ExpressionAttributeValues: { ...values, ':null': 'NULL' },
      Select: 'COUNT',
      ExclusiveStartKey: next,
    });
    next = page.LastEvaluatedKey;
    yield { unread: page.Count ?? 0, isEnd: next === undefined };
  } while (next);
}
