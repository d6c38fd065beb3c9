import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifRevision, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { put, remove } from '../../../lib/runtime/rows.ts';
import type { Board, BoardChange, Event, StoredMark, StoredMessage } from '../rules/board.ts';
import type { AgentBoardMessages } from '../tables.ts';
import { boardKey, markKey } from './messages.ts';

/**
 * Changes of table `AgentBoardMessages`: what changed and its board, both or neither, on the condition that both are still
 * what the change was decided on: the two were not read in one moment.
 *
 * Each takes a token that is new for each decision: the SDK's retries of a lost answer carry it again and change nothing twice.
 * Each returns false if another writer was first; then the decision must be made again. Each throws the error of the SDK if the
 * outcome is unknown.
 */

export type Item = Items[number];

/** A post or a first reading, and what else is to be there with it. */
export async function commitMessage(
  table: AgentBoardMessages<'put'>,
  { message, board }: BoardChange,
  token: string,
  more: readonly Item[] = [],
): Promise<boolean> {
  return commit([...changeItems(table, { message, board }), ...more], token);
}

/** What a transaction has of a post or a first reading. */
export function changeItems(table: AgentBoardMessages<'put'>, { message, board }: BoardChange): Item[] {
  const condition = message.readAt === null ? isNew : isUnread;
  return [put(table, message, condition), movedTo(table, message.userId, board)];
}

export async function commitMark(
  table: AgentBoardMessages<'put'>,
  { mark, board }: { mark: StoredMark; board: Board },
  token: string,
): Promise<boolean> {
  const row = { ...mark, messageId: markKey(mark.upTo) };
  return commit([put(table, row, isNew), movedTo(table, mark.userId, board)], token);
}

/** @param badgeEvent the event of the removal, which the board's row carries, as the message's is gone */
export async function commitRemoval(
  table: AgentBoardMessages<'put' | 'remove'>,
  { message, board, badgeEvent }: { message: StoredMessage; board: Board; badgeEvent: Event | null },
  token: string,
): Promise<boolean> {
  const { userId, messageId, boardRevision } = message;
  const isSeen = ifUnchanged({ boardRevision });
  return commit([remove(table, { userId, messageId }, isSeen), movedTo(table, userId, board, badgeEvent)], token);
}

function movedTo(
  table: AgentBoardMessages<'put'>,
  userId: string,
  board: Board,
  badgeEvent: Event | null = null,
): Item {
  const row = { userId, messageId: boardKey, ...board, ...badgeEvent };
  return put(table, row, ifRevision('userId', board.revision - 1));
}

const isNew = ifAbsent('userId');

const isUnread = {
  ConditionExpression: 'attribute_type(readAt, :null)',
  ExpressionAttributeValues: { ':null': 'NULL' },
};
