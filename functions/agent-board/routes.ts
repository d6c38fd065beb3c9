import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { Id, pathId, Timestamp, visibleLine, visibleLines, wellFormed } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, check, get, read } from '../../lib/contract/uses.ts';
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
    '`limit`: `hasMore` alone says whether another follows.',
  applications: ['sleepcare'],
  auth: readOwnBoard,
  uses: [read(AgentBoardMessages)],
  items: Message,
  metadata: z.object({ unreadCount }),
  errors: [],
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
  uses: [get(AgentBoardMessages), append(AgentBoardMessages)],
  params: z.object({ messageId: pathId(MessageNotFound) }),
  response: z.object({ success: z.boolean(), messageId: Id, readAt: Timestamp, unreadCount }),
  errors: [MessageNotFound],
});

export const postMessage = route({
  method: 'POST',
  path: '/users/{userId}/agent-board/messages',
  summary: "Posts a message to a sleep-care user's agent board",
  description:
    'Only to who has used the app, since its start makes the user, and has not asked for the deletion of the account. Not idempotent: after a 503 or 504 the message may be there.',
  applications: ['medinfo'],
  auth: writeToBoards,
  uses: [get(AgentBoardMessages), append(AgentBoardMessages), read(Users), get(Accounts), check(Accounts)],
  params: z.object({ userId: pathId(UserNotFound) }),
  body: z.object({
    title: z.string().check(z.maxLength(200), wellFormed, visibleLine),
    body: z.string().check(z.maxLength(10_000), wellFormed, visibleLines),
  }),
  status: 201,
  response: Message,
  errors: [UserNotFound],
});
