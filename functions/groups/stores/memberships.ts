import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { Membership } from '../rules/group.ts';
import { countMember } from './groups.ts';

/** Tables `GroupMembers` and `UserGroups`: two rows of one membership, which come and go together, and are counted then. */

export type MembershipTables = { readonly Groups: string; readonly GroupMembers: string; readonly UserGroups: string };

type Named = Pick<Membership, 'groupId' | 'userId'>;
type Page = { readonly limit: number; readonly after: string | null };

/** Strongly consistent, as is every read here. */
export async function readMembership(
  client: DynamoDBDocumentClient,
  table: string,
  { groupId, userId }: Named,
): Promise<Membership | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { groupId, userId }, ConsistentRead: true }));
  return (found.Item as Membership | undefined) ?? null;
}

/** The members of a group, in the order of their ids. */
export async function readMembers(
  client: DynamoDBDocumentClient,
  table: string,
  groupId: string,
  { limit, after }: Page,
): Promise<{ members: Membership[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'groupId = :groupId',
    ExpressionAttributeValues: { ':groupId': groupId },
    ...(after !== null && { ExclusiveStartKey: { groupId, userId: after } }),
  };
  const { rows: members, hasMore } = await queryPage<Membership>(client, query, limit);
  return { members, next: hasMore ? (members.at(-1)?.userId ?? null) : null };
}

/** The groups of a user, in the order of their ids. */
export async function readMemberships(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: Page,
): Promise<{ memberships: Membership[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ...(after !== null && { ExclusiveStartKey: { userId, groupId: after } }),
  };
  const { rows: memberships, hasMore } = await queryPage<Membership>(client, query, limit);
  return { memberships, next: hasMore ? (memberships.at(-1)?.groupId ?? null) : null };
}

/** The items of a transaction that puts somebody into a group. It fails where they are in it, or there is no such group. */
export function putMembership(tables: MembershipTables, { groupId, userId, since }: Membership) {
  const Item = { groupId, userId, since };
  const isNew = { ConditionExpression: 'attribute_not_exists(userId)' };
  return [
    { Put: { TableName: tables.GroupMembers, Item, ...isNew } },
    { Put: { TableName: tables.UserGroups, Item, ...isNew } },
    countMember(tables.Groups, { groupId, userId }, 1),
  ];
}

/** The items of a transaction that ends a membership, on the condition that it is still this one. */
export function endMembership(tables: MembershipTables, { groupId, userId, since }: Membership) {
  return [...removeRows(tables, { groupId, userId, since }), countMember(tables.Groups, { groupId, userId }, -1)];
}

/** The same without the count: for rows of a group that is not there. */
export function removeRows(
  tables: Pick<MembershipTables, 'GroupMembers' | 'UserGroups'>,
  { groupId, userId, since }: Membership,
) {
  const isStill = { ConditionExpression: 'since = :since', ExpressionAttributeValues: { ':since': since } };
  return [
    { Delete: { TableName: tables.UserGroups, Key: { userId, groupId }, ...isStill } },
    { Delete: { TableName: tables.GroupMembers, Key: { groupId, userId } } },
  ];
}
