import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { Id, pathId, Timestamp, visibleLine, visibleLines, wellFormed } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, check, get, joined, read, replace, userPool } from '../../lib/contract/uses.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import { MessageNotFound } from './errors.ts';
import { readOwnBoard, writeOwnBoard, writeToBoards } from './permissions.ts';
import { AgentBoardMessages } from './tables.ts';

export const Message = z.object({
  messageId: Id,
  title: z.string(),
  body: z.string(),
  createdAt: Timestamp,
  /** Null until the user reads it; then the time of the first reading. */
  readAt: z.nullable(Timestamp),
});

const unreadCount = z.int();

export const listMessages = route({
  method: 'GET',
  path: '/agent-board/messages',
  summary: "The caller's messages, newest first",
  description:
    '`metadata.unreadCount` is of the whole board, on every page. A page of very long messages may hold fewer than ' +
    '`limit`: `hasMore` alone says whether another follows. So may one of `unread=true`, for which 100 messages are looked ' +
    'through at once.',
  applications: ['sleepcare'],
  auth: readOwnBoard,
  uses: [read(AgentBoardMessages)],
  query: z.object({
    /** Those alone that nobody has read. */
    unread: z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text) => text === 'true'),
      ),
    ),
  }),
  items: Message,
  metadata: z.object({ unreadCount }),
  errors: [],
});

const ofMessage = z.object({ messageId: pathId(MessageNotFound) });

export const readMessage = route({
  method: 'GET',
  path: '/agent-board/messages/{messageId}',
  summary: "One of the caller's messages",
  description: 'As in the list: to read it does not mark it as read.',
  applications: ['sleepcare'],
  auth: readOwnBoard,
  uses: [read(AgentBoardMessages)],
  params: ofMessage,
  response: Message,
  errors: [MessageNotFound],
});

export const deleteMessage = route({
  method: 'DELETE',
  path: '/agent-board/messages/{messageId}',
  summary: 'Deletes a message for good',
  description:
    "Where it was unread, the new count is sent to the user's devices. A push of it that is on its way is still shown; it has " +
    'no text of the message. Idempotent: a message that is not there, or no longer, is a success.',
  applications: ['sleepcare'],
  auth: writeOwnBoard,
  uses: [read(AgentBoardMessages), replace(AgentBoardMessages)],
  params: ofMessage,
  response: z.object({ success: z.boolean(), messageId: Id, unreadCount }),
  errors: [MessageNotFound],
});

export const markMessagesRead = route({
  method: 'POST',
  path: '/agent-board/messages/read',
  summary: 'Marks all messages up to one as read, that one included',
  description:
    'However many they are: name the newest message that the user was shown. What came after it stays unread. Where ' +
    "nothing was unread it changes nothing and answers the `readAt` of that message; else the new count is sent to the user's " +
    'devices, once.',
  applications: ['sleepcare'],
  auth: writeOwnBoard,
  uses: [read(AgentBoardMessages), append(AgentBoardMessages)],
  body: z.object({ upTo: Id }),
  response: z.object({ success: z.boolean(), upTo: Id, readAt: Timestamp, unreadCount }),
  errors: [MessageNotFound],
});

export const markMessageRead = route({
  method: 'POST',
  path: '/agent-board/messages/{messageId}/read',
  summary: 'Marks a message as read',
  description:
    'Idempotent: reading again answers the first `readAt` and changes nothing. The first reading sends the new count ' +
    "to the user's devices.",
  applications: ['sleepcare'],
  auth: writeOwnBoard,
  uses: [read(AgentBoardMessages), append(AgentBoardMessages)],
  params: ofMessage,
  response: z.object({ success: z.boolean(), messageId: Id, readAt: Timestamp, unreadCount }),
  errors: [MessageNotFound],
});

export const postMessage = route({
  method: 'POST',
  path: '/users/{userId}/agent-board/messages',
  summary: "Posts a message to a sleep-care user's agent board",
  description: withKeyNote(
    'To whoever has an account, also before its first use of the app, and has not asked for the deletion of the account. ' +
      'Without a key it is not idempotent: after a 503 or 504 the message may be there.',
  ),
  applications: ['medinfo'],
  auth: writeToBoards,
  about: {
    param: 'userId',
    relation: 'care',
    exempt: {
      roles: ['agent', 'admin'],
      because: 'service messages to whoever has an account; they show nothing of it',
    },
  },
  uses: joined(
    [
      get(AgentBoardMessages),
      append(AgentBoardMessages),
      read(Users),
      get(Accounts),
      check(Accounts),
      userPool('read-patients'),
    ],
    idempotencyUses,
  ),
  headers: idempotencyHeaders,
  params: z.object({ userId: pathId(UserNotFound) }),
  body: z.object({
    title: z.string().check(z.maxLength(200), wellFormed, visibleLine),
    body: z.string().check(z.maxLength(10_000), wellFormed, visibleLines),
  }),
  status: 201,
  response: Message,
  errors: [UserNotFound, IdempotencyKeyReused],
});
