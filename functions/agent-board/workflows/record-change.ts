import { randomUUID } from 'node:crypto';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { contended, jitter, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import {
  type Board,
  type BoardChange,
  type Draft,
  isMarked,
  type Message,
  post,
  read,
  readUpTo,
  remove,
  type StoredMessage,
} from '../rules/board.ts';
import { commitMark, commitMessage, commitRemoval, type Item } from '../stores/board-changes.ts';
import { type Named, readBoard, readBoth, readMark, readMessage, readShown, type Shown } from '../stores/messages.ts';
import { countUnreadAfter } from '../stores/unread.ts';
import type { AgentBoardMessages } from '../tables.ts';

/** Changes of one user's board, each decided on the board that it replaces. */

/** What varies in a test: ids and the wait between two tries. */
export type ChangeOptions = RetryOptions & { id: () => string };

type Read = { readAt: string; unreadCount: number };

/** `shown`: what was read of it already, null for none; read here unless given. */
type KnownMessage = Named & { shown?: Shown | null | undefined };
type Reading = KnownMessage & { now: Date };

/**
 * How many times a change is decided again if another writer was first. With ten, eleven changes at once always succeed. This is
 * more than for consents: there repeated calls make one record, but here each of an app's parallel readings is a separate change.
 */
const retries = 10;

/** The pauses of all ten are two seconds in the mean, and 4.4 at most: well within a function's time. */
const defaults: ChangeOptions = { id: randomUUID, pause: jitter };

type Post = Draft & {
  now: Date;
  /** The state if it was already read, null for none; otherwise it is read here. */
  board?: Board | null;
  /** Written with the message, whose id is the decision's. */
  also?: (message: Message) => Item[];
  /** What another request made meanwhile that stands for this one. */
  first?: () => Promise<Message | null>;
};

/** @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; what the SDK throws where the outcome is unknown */
export async function addMessage(
  table: AgentBoardMessages<'get' | 'put'>,
  { now, also, first, board: known, ...draft }: Post,
  { id, ...options }: ChangeOptions = defaults,
): Promise<Message> {
  // One for all tries, so that two that are decided on the same board are the same message.
  const uuid = id();
  let tried: StoredMessage | undefined;
  const attempt = async (number: number) => {
    const isKnown = number === 0 && known !== undefined;
    const board = isKnown ? known : await readBoard(table, draft);
    // DynamoDB may still have been at the last try when it refused the SDK's repetition of it. Looked for after the board
    // was read: what is committed later than that meets the board's condition.
    if (tried && (await readMessage(table, tried))) return tried;
    const other = tried && (await first?.());
    if (other) return other;
    const change = post(board, draft, now, uuid);
    tried = change.message;
    // Its id is nobody else's, so that a message that is there is this one.
    const items = also?.(change.message) ?? [];
    return (await settle(table, change, { token: id(), isDone: () => true, items })) ?? contended;
  };
  return retryOnContention(attempt, { retries, ...options });
}

/**
 * @returns the time of the first reading and how many are unread after it; null where the user has no such message
 * @throws as `addMessage`
 */
export async function markRead(
  table: AgentBoardMessages<'get' | 'query' | 'put'>,
  { now, shown, ...named }: Reading,
  { id, ...options }: ChangeOptions = defaults,
): Promise<Read | null> {
  return changeShown(table, { ...named, shown }, options, async ({ message, board }) => {
    if (message.readAt !== null) return { readAt: message.readAt, unreadCount: board.unreadCount };
    const change = read(board, message, now);
    const there = await settle(table, change, { token: id(), isDone: ({ readAt }) => readAt !== null });
    return there?.readAt ? { readAt: there.readAt, unreadCount: there.unreadCountAfter } : contended;
  });
}

/**
 * Marks all messages up to and including one as read, in one write however many they are.
 *
 * @returns the time of this reading, or of the one before where all were read, and how many are unread after it; null where
 * the user has no such message
 * @throws as `addMessage`
 */
export async function markReadUpTo(
  table: AgentBoardMessages<'get' | 'query' | 'put'>,
  { now, shown, ...named }: Reading,
  { id, ...options }: ChangeOptions = defaults,
): Promise<Read | null> {
  return changeShown(table, { ...named, shown }, options, async ({ message, board }) => {
    const { readAt } = message;
    const { unreadCount } = board;
    if (readAt !== null && isMarked(board, message.messageId)) return { readAt, unreadCount };
    const unreadAfter = await countUnreadAfter(table, named, board);
    if (unreadAfter === unreadCount) {
      // Nothing is written here that would find out whether the board was another one at the counting.
      const isSame = (await readBoard(table, named))?.revision === board.revision;
      return readAt !== null && isSame ? { readAt, unreadCount } : contended;
    }
    const change = readUpTo(board, message, unreadAfter, now);
    try {
      if (!(await commitMark(table, change, id()))) return contended;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const mark = await readMark(table, change.mark);
      if (!mark) throw error;
      return { readAt: mark.readAt, unreadCount: mark.unreadCountAfter };
    }
    return { readAt: change.mark.readAt, unreadCount: unreadAfter };
  });
}

/** Reads a message with its board, and changes both. Reads again if another writer was first. Does nothing if there is no such message. */
async function changeShown(
  table: AgentBoardMessages<'get' | 'query'>,
  { shown, ...named }: KnownMessage,
  options: RetryOptions,
  change: (found: Shown) => Promise<Read | typeof contended>,
): Promise<Read | null> {
  const attempt = async (number: number) => {
    const found = number === 0 && shown !== undefined ? shown : await readShown(table, named);
    return found && change(found);
  };
  return retryOnContention(attempt, { retries, ...options });
}

/**
 * @returns how many are unread after it, also where the user has no such message, or no longer
 * @throws as `addMessage`
 */
export async function removeMessage(
  table: AgentBoardMessages<'get' | 'put' | 'remove'>,
  { both, ...named }: Removal,
  { id, ...options }: ChangeOptions = defaults,
): Promise<{ unreadCount: number }> {
  const attempt = async (number: number) => {
    const isKnown = number === 0 && both !== undefined;
    const { found: message, board } = isKnown ? both : await readBoth(table, named);
    if (!message || !board) return { unreadCount: board?.unreadCount ?? 0 };
    const after = remove(board, message);
    try {
      if (!(await commitRemoval(table, { message, ...after }, id()))) return contended;
    } catch (error) {
      if (!isUnavailable(error) || (await readMessage(table, named))) throw error;
    }
    return { unreadCount: after.board.unreadCount };
  };
  return retryOnContention(attempt, { retries, ...options });
}

/** `both`: what was read already; read here unless given. */
type Removal = Named & { both?: Awaited<ReturnType<typeof readBoth>> };

type Try = { token: string; isDone: (found: StoredMessage) => boolean; items?: Item[] };

/**
 * A lost answer is not a lost write: where the outcome is unknown, the message itself tells.
 *
 * @returns the message after the change; null if another writer was first; then the decision must be made again
 */
async function settle(table: AgentBoardMessages<'get' | 'put'>, change: BoardChange, { token, isDone, items }: Try) {
  try {
    return (await commitMessage(table, change, token, items)) ? change.message : null;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const found = await readMessage(table, change.message);
    if (found && isDone(found)) return found;
    throw error;
  }
}
