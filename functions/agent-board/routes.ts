import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { Id, pathId, Timestamp, visibleLine, visibleLines, wellFormed } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
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
    '`metadata.unreadCount` counts the whole board, on every page. A page can have fewer messages than `limit`, ' +
    'if they are very long or with `unread=true`, which looks through 100 messages at once. Only `hasMore` says ' +
    'whether there is another page.',
  applications: ['sleepcare'],
  auth: readOwnBoard,
  uses: [read(AgentBoardMessages)],
  query: z.object({
    /** Only unread messages. */
    unread: z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text) => text === 'true'),
      ),
    ),
  }),
  cursor: ['messageId', 'left?'],
  items: Message,
  metadata: z.object({ unreadCount }),
  errors: [],
});

const ofMessage = z.object({ messageId: pathId(MessageNotFound) });

export const readMessage = route({
  method: 'GET',
  path: '/agent-board/messages/{messageId}',
  summary: "One of the caller's messages",
  description: 'As in the list. This request does not mark the message as read.',
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
    "If the message was unread, the new count is sent to the user's devices. A push for it that is already on its " +
    "way is still shown; the push does not contain the message's text. Idempotent: if the message does not exist " +
    'or was already deleted, the call succeeds.',
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
  summary: 'Marks a message and all earlier messages as read',
  description:
    'There is no limit to their number. Name the newest message that the user has seen; later messages stay ' +
    'unread. If nothing was unread, nothing changes, and the answer has the `readAt` of that message. Otherwise ' +
    "the new count is sent to the user's devices, once.",
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
    'Idempotent: a repeated request gets the first `readAt` and changes nothing. The first request sends the new ' +
    "count to the user's devices.",
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
    'The user must have an account, even if the app was never used, and must not have requested its deletion. ' +
      'Without an `Idempotency-Key` the call is not idempotent: after a 503 or 504 the message may have been ' +
      'posted.',
  ),
  applications: ['medinfo'],
  auth: writeToBoards,
  dataSubject: {
    param: 'userId',
    relation: 'care',
    exempt: {
      roles: ['agent', 'admin'],
      because: 'service messages to any user with an account; the sender sees nothing of the account',
    },
  },
  uses: joined(
    [
      get(AgentBoardMessages),
      append(AgentBoardMessages),
      read(Users),
      get(Accounts),
      check(Accounts),
      userPool('read', 'sleepcare'),
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
