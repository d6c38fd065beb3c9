import { table } from '../../lib/contract/tables.ts';

/**
 * Under `group` each group by its `groupId`; under `members#<groupId>` how many members it has, in sixteen rows; under
 * `messages#<groupId>` which messages to it are under way.
 */
export const Groups = table('Groups', {
  partitionKey: 'kind',
  sortKey: 'groupKey',
  adjustable: ['members', 'messages', 'revision'],
});

/** The members of a group. */
export const GroupMembers = table('GroupMembers', { partitionKey: 'groupId', sortKey: 'userId' });

/** `GroupMembers` the other way round: a user's groups. Both change in one transaction. */
export const UserGroups = table('UserGroups', { partitionKey: 'userId', sortKey: 'groupId' });

/** What is said to a group: a row for each broadcast, put once. Its stream is what begins the posting. */
export const GroupMessages = table('GroupMessages', {
  partitionKey: 'groupId',
  sortKey: 'broadcastId',
  stream: true,
  expires: true,
});

/** Members who still have to get a broadcast, a hundred to a row; under `~progress` how far it is. */
export const GroupMessageParts = table('GroupMessageParts', {
  partitionKey: 'broadcastId',
  sortKey: 'part',
  expires: true,
});

/**
 * Who got which broadcast: put in the transaction of the message, so that none gets it twice. Also whom it was no longer for,
 * so that the same message of the queue cannot post it after all.
 */
export const GroupMessageDeliveries = table('GroupMessageDeliveries', {
  partitionKey: 'userId',
  sortKey: 'broadcastId',
  expires: true,
});
