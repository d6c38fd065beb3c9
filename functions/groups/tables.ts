import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { Broadcast, Delivery, Part, ProgressRow } from './rules/broadcast.ts';
import type { GroupsRow, Membership } from './rules/group.ts';

/**
 * Under `group` each group by its `groupId`; under `members#<groupId>` how many members it has, in sixteen rows; under
 * `messages#<groupId>` which messages to it are under way.
 */
export const Groups = table<GroupsRow>()('Groups', {
  partitionKey: 'kind',
  sortKey: 'groupKey',
  adjustable: ['members', 'messages', 'revision'],
});
export type Groups<A extends Action> = Handle<typeof Groups, A>;

/** The members of a group. */
export const GroupMembers = table<Membership>()('GroupMembers', { partitionKey: 'groupId', sortKey: 'userId' });
export type GroupMembers<A extends Action> = Handle<typeof GroupMembers, A>;

/** `GroupMembers` the other way round: a user's groups. Both change in one transaction. */
export const UserGroups = table<Membership>()('UserGroups', { partitionKey: 'userId', sortKey: 'groupId' });
export type UserGroups<A extends Action> = Handle<typeof UserGroups, A>;

/** What is said to a group: a row for each broadcast, put once. Its stream is what begins the posting. */
export const GroupMessages = table<Broadcast & { readonly expiresAt: number }>()('GroupMessages', {
  partitionKey: 'groupId',
  sortKey: 'broadcastId',
  stream: true,
  expires: true,
});
export type GroupMessages<A extends Action> = Handle<typeof GroupMessages, A>;

/** Members who still have to get a broadcast, a hundred to a row; under `~progress` how far it is. */
export const GroupMessageParts = table<Part | ProgressRow>()('GroupMessageParts', {
  partitionKey: 'broadcastId',
  sortKey: 'part',
  expires: true,
});
export type GroupMessageParts<A extends Action> = Handle<typeof GroupMessageParts, A>;

/**
 * Who got which broadcast: put in the transaction of the message, so that none gets it twice. Also whom it was no longer for,
 * so that the same message of the queue cannot post it after all.
 */
export const GroupMessageDeliveries = table<Delivery>()('GroupMessageDeliveries', {
  partitionKey: 'userId',
  sortKey: 'broadcastId',
  expires: true,
});
export type GroupMessageDeliveries<A extends Action> = Handle<typeof GroupMessageDeliveries, A>;
