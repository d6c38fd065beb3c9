import { isTime } from '../../../lib/contract/instant.ts';
import { revisionOf } from '../../../lib/contract/revision.ts';

/**
 * The rules of a user's agent board (decision 15): a message is posted once and read once, and each of the two
 * moves the board's count with it. Pure: time and ids are arguments.
 */

export type Message = {
  messageId: string;
  title: string;
  body: string;
  createdAt: string;
  readAt: string | null;
};

/** The event that the row is the outcome of: all that a push needs to know, and no text of the message. */
export type Event = {
  /** The `messageId` of a post; with `.read` behind it of a first reading, `.read-up-to` of a mark, `.deleted` of a removal. */
  eventId: string;
  unreadCountAfter: number;
  /** Of two counts the one with the greater revision is the later. */
  boardRevision: number;
};

/** `authorId` is for the operator, and in no answer. */
export type StoredMessage = Message & Event & { userId: string; authorId: string };

/** One a user; `revision` counts its changes. */
export type Board = {
  revision: number;
  unreadCount: number;
  latestAt: string;
  /** Where the last mark is: every message up to and including that id is read. Absent before the first. */
  readUpTo?: string;
};

/** All that was unread up to and including the message `upTo` was read at `readAt`. */
export type Mark = { upTo: string; readAt: string };

export type StoredMark = Mark & Event & { userId: string };

export type AgentBoardRow =
  | StoredMessage
  | ({ userId: string; messageId: string } & (StoredMark | (Board & Partial<Event>)));

/** A message and its board, which become true together or not at all. */
export type BoardChange = { message: StoredMessage; board: Board };

export type Draft = { userId: string; authorId: string; title: string; body: string };

/** No time as we write it comes after it. Where somebody planted it, later messages are in their order again, below that one. */
const last = '9999-12-31T23:59:59.999Z';

/**
 * @param board null before the user's first message
 * @param uuid a random one (version 4), which makes the id unique over all users
 */
export function post(board: Board | null, draft: Draft, now: Date, uuid: string): BoardChange {
  const before: Board = board ?? { revision: 0, unreadCount: 0, latestAt: '' };
  const { revision, unreadCount, latestAt } = before;
  // Strictly increasing within a board, also within a millisecond and where the clock steps back.
  const isFollowed = isTime(latestAt) && latestAt < last;
  const at = isFollowed ? Math.max(now.getTime(), Date.parse(latestAt) + 1) : now.getTime();
  const createdAt = new Date(at).toISOString();
  const messageId = orderedId(at, uuid);
  const after = { ...before, revision: revisionOf(revision) + 1, unreadCount: unreadCount + 1, latestAt: createdAt };
  return {
    message: { ...draft, messageId, createdAt, readAt: null, ...event(messageId, after) },
    board: after,
  };
}

/** The first reading of a message that nobody has read. */
export function read(board: Board, message: StoredMessage, now: Date): BoardChange {
  const readAt = notBefore(message.createdAt, now);
  const after = { ...board, revision: revisionOf(board.revision) + 1, unreadCount: board.unreadCount - 1 };
  return { message: { ...message, readAt, ...event(`${message.messageId}.read`, after) }, board: after };
}

/** Whether a message is read by a mark, whatever its row says. */
export function isMarked(board: Board | null, messageId: string): boolean {
  return board?.readUpTo !== undefined && messageId <= board.readUpTo;
}

/**
 * Marks all messages up to and including `message` as read; at least one of them was unread.
 *
 * @param unreadAfter how many messages after it are unread
 */
export function readUpTo(
  board: Board,
  { userId, messageId, createdAt }: StoredMessage,
  unreadAfter: number,
  now: Date,
): { mark: StoredMark; board: Board } {
  const after = { ...board, revision: revisionOf(board.revision) + 1, unreadCount: unreadAfter, readUpTo: messageId };
  const mark = { userId, upTo: messageId, readAt: notBefore(createdAt, now) };
  return { mark: { ...mark, ...event(`${messageId}.read-up-to`, after) }, board: after };
}

/** @returns the board without the message, and the event for the devices if the message was unread */
export function remove(board: Board, { messageId, readAt }: StoredMessage): { board: Board; badgeEvent: Event | null } {
  const isUnread = readAt === null && !isMarked(board, messageId);
  const after = {
    ...board,
    revision: revisionOf(board.revision) + 1,
    unreadCount: board.unreadCount - (isUnread ? 1 : 0),
  };
  return { board: after, badgeEvent: isUnread ? event(`${messageId}.deleted`, after) : null };
}

/** A clock that steps back never makes a message read before it was there. */
function notBefore(createdAt: string, now: Date): string {
  return [now.toISOString(), createdAt].toSorted().at(-1) ?? createdAt;
}

function event(eventId: string, { unreadCount, revision }: Board): Event {
  return { eventId, unreadCountAfter: unreadCount, boardRevision: revision };
}

/** A UUID of version 7, whose text sorts by its time: https://www.rfc-editor.org/rfc/rfc9562#section-5.7 */
export function orderedId(milliseconds: number, uuid: string): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(15)}`;
}
