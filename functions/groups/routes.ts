import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, PreconditionRequired } from '../../lib/contract/common-errors.ts';
import { Id, manyLines, pathId, Timestamp, visibleLine, visibleLines, wellFormed } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { adjust, append, batch, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';
import {
  GroupFull,
  GroupMessageNotFound,
  GroupNotEmpty,
  GroupNotFound,
  GroupWithoutBoards,
  TooManyGroupMessages,
} from './errors.ts';
import { administerGroups } from './permissions.ts';
import { GroupMembers, GroupMessageParts, GroupMessages, Groups, UserGroups } from './tables.ts';

const exception = 'administration of groups: the administrators decide who is a member';

const name = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(200),
  wellFormed,
  visibleLine,
);

const description = z.string().check(z.maxLength(1000), wellFormed, manyLines);

const kind = z.enum(['patients', 'staff']);

export const Group = z.object({
  groupId: Id,
  name: z.string(),
  /** Whose users its members are: of the sleep-care app, or staff. */
  kind,
  description: z.string(),
  createdAt: Timestamp,
});

const ofGroup = z.object({ groupId: pathId(GroupNotFound) });

export const createGroup = route({
  method: 'POST',
  path: '/groups',
  summary: 'Creates a group of patients or of staff',
  description: withKeyNote('The group has no members yet. `kind` cannot be changed.'),
  applications: ['medinfo'],
  auth: administerGroups,
  uses: joined([get(Groups), append(Groups), append(AuditEvents)], idempotencyUses),
  headers: idempotencyHeaders,
  body: z.object({ name, kind, description: z._default(description, '') }),
  status: 201,
  response: Group,
  errors: [IdempotencyKeyReused],
});

export const listGroups = route({
  method: 'GET',
  path: '/groups',
  summary: 'All groups, in the order in which they were created',
  applications: ['medinfo'],
  auth: administerGroups,
  uses: [read(Groups)],
  cursor: 'groupId',
  items: Group,
  errors: [],
});

export const readGroup = route({
  method: 'GET',
  path: '/groups/{groupId}',
  summary: 'A group',
  applications: ['medinfo'],
  auth: administerGroups,
  uses: [get(Groups)],
  params: ofGroup,
  response: Group,
  etag: true,
  errors: [GroupNotFound],
});

const ifMatch = z.object({ 'if-match': z.optional(z.string()) });

export const replaceGroup = route({
  method: 'PUT',
  path: '/groups/{groupId}',
  summary: 'Changes the name and description of a group',
  description: 'Requires `If-Match` with the `ETag` that was read.',
  applications: ['medinfo'],
  auth: administerGroups,
  uses: [read(Groups), append(Groups), append(AuditEvents)],
  params: ofGroup,
  headers: ifMatch,
  body: z.object({ name, description }),
  response: Group,
  etag: true,
  errors: [GroupNotFound, PreconditionFailed, PreconditionRequired],
});

export const deleteGroup = route({
  method: 'DELETE',
  path: '/groups/{groupId}',
  summary: 'Deletes a group that has no members',
  description: 'Requires `If-Match`. Messages that were sent to the group stay on the agent boards.',
  applications: ['medinfo'],
  auth: administerGroups,
  uses: [read(Groups), replace(Groups), append(AuditEvents)],
  params: ofGroup,
  headers: ifMatch,
  response: z.object({ success: z.boolean(), groupId: Id }),
  errors: [GroupNotFound, GroupNotEmpty, PreconditionFailed, PreconditionRequired],
});

export const GroupMember = z.object({
  groupId: Id,
  userId: z.string(),
  /** Real time, whatever the time machine says. */
  since: Timestamp,
});

const ofMember = z.object({ groupId: pathId(GroupNotFound), userId: pathId(UserNotFound) });

export const putGroupMember = route({
  method: 'PUT',
  path: '/groups/{groupId}/members/{userId}',
  summary: 'Adds a user to a group',
  description:
    'A group of patients takes users of the sleep-care app. A group of staff takes people that have used the ' +
    "staff's app. A group has at most 100,000 members. Idempotent: the first `since` stays.",
  applications: ['medinfo'],
  auth: administerGroups,
  dataSubject: { param: 'userId', exception },
  uses: [
    read(Groups),
    adjust(Groups),
    get(GroupMembers),
    append(GroupMembers),
    append(UserGroups),
    append(AuditEvents),
    get(Users),
    get(Accounts),
    check(Accounts),
    userPool('read', 'sleepcare'),
  ],
  params: ofMember,
  response: GroupMember,
  errors: [GroupNotFound, UserNotFound, GroupFull],
});

export const removeGroupMember = route({
  method: 'DELETE',
  path: '/groups/{groupId}/members/{userId}',
  summary: 'Removes a user from a group',
  description:
    "A message to the group that is not yet on the user's agent board is not posted there. Idempotent: if the " +
    'user is not in the group, the call succeeds as well.',
  applications: ['medinfo'],
  auth: administerGroups,
  dataSubject: { param: 'userId', exception },
  uses: [
    adjust(Groups),
    get(GroupMembers),
    replace(GroupMembers),
    get(UserGroups),
    replace(UserGroups),
    append(AuditEvents),
  ],
  params: ofMember,
  response: z.object({ success: z.boolean(), groupId: Id, userId: z.string() }),
  errors: [GroupNotFound, UserNotFound],
});

export const listGroupMembers = route({
  method: 'GET',
  path: '/groups/{groupId}/members',
  summary: "The user ids of a group's members",
  description: '`metadata.memberCount` counts the whole group, on every page.',
  applications: ['medinfo'],
  auth: administerGroups,
  dataSubject: { each: 'userId', exception },
  uses: [read(Groups), read(GroupMembers)],
  params: ofGroup,
  cursor: 'userId',
  items: GroupMember,
  metadata: z.object({ memberCount: z.int() }),
  errors: [GroupNotFound],
});

export const UserGroup = z.object({
  groupId: Id,
  name: z.string(),
  kind,
  since: Timestamp,
});

export const listUserGroups = route({
  method: 'GET',
  path: '/users/{userId}/groups',
  summary: 'The groups of a user',
  description: 'The list is empty for a user without groups and for an unknown user.',
  applications: ['medinfo'],
  auth: administerGroups,
  dataSubject: { param: 'userId', exception },
  uses: [read(UserGroups), batch(Groups)],
  params: z.object({ userId: pathId(UserNotFound) }),
  cursor: 'groupId',
  items: UserGroup,
  errors: [UserNotFound],
});

export const GroupMessage = z.object({
  broadcastId: Id,
  groupId: Id,
  purpose: z.enum(['therapy', 'service', 'marketing']),
  title: z.string(),
  body: z.string(),
  createdAt: Timestamp,
  /** `gathering`: `total` still grows. `done`: `total` is the sum of the other three. */
  status: z.enum(['gathering', 'posting', 'done']),
  /** Members who are to get it, as far as they were listed. */
  total: z.int(),
  /** On whose agent boards it is. */
  posted: z.int(),
  /** To whom it could not be posted, in five tries. */
  failed: z.int(),
  /** Who left the group, closed the account, or does not consent to marketing. */
  skipped: z.int(),
});

export const postGroupMessage = route({
  method: 'POST',
  path: '/groups/{groupId}/messages',
  summary: 'Posts a message to the agent board of each member of a group',
  description: withKeyNote(
    'The message goes to users that are members now, and still are when it is posted. A `marketing` message goes ' +
      'only to members that consent to marketing at that time. Each member gets the message once. `GET ' +
      '…/messages/{broadcastId}` shows the progress. At most three messages to a group can be under way.',
  ),
  applications: ['medinfo'],
  auth: administerGroups,
  uses: joined(
    [
      get(Groups),
      adjust(Groups),
      get(GroupMessages),
      append(GroupMessages),
      batch(GroupMessageParts),
      append(GroupMessageParts),
      append(AuditEvents),
    ],
    idempotencyUses,
  ),
  headers: idempotencyHeaders,
  params: ofGroup,
  body: z.object({
    purpose: z.enum(['therapy', 'service', 'marketing']),
    title: z.string().check(z.maxLength(200), wellFormed, visibleLine),
    body: z.string().check(z.maxLength(10_000), wellFormed, visibleLines),
  }),
  status: 202,
  response: GroupMessage,
  errors: [GroupNotFound, GroupWithoutBoards, IdempotencyKeyReused, TooManyGroupMessages],
});

export const listGroupMessages = route({
  method: 'GET',
  path: '/groups/{groupId}/messages',
  summary: 'The messages to a group of the last year, newest first',
  applications: ['medinfo'],
  auth: administerGroups,
  uses: [get(Groups), read(GroupMessages), batch(GroupMessageParts)],
  params: ofGroup,
  cursor: 'broadcastId',
  items: GroupMessage,
  errors: [GroupNotFound],
});

export const readGroupMessage = route({
  method: 'GET',
  path: '/groups/{groupId}/messages/{broadcastId}',
  summary: 'A message to a group, and its progress',
  description:
    'While the message is being posted, each number may be too small, but never too large. At the end `total` is ' +
    'the sum of the other three.',
  applications: ['medinfo'],
  auth: administerGroups,
  uses: [get(Groups), get(GroupMessages), get(GroupMessageParts)],
  params: z.object({ groupId: pathId(GroupNotFound), broadcastId: pathId(GroupMessageNotFound) }),
  response: GroupMessage,
  errors: [GroupNotFound, GroupMessageNotFound],
});
