import { ifAbsent, ifAsRead } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { Membership } from '../rules/group.ts';
import type { GroupMembers, Groups, UserGroups } from '../tables.ts';
import { countMember } from './groups.ts';

/** Tables `GroupMembers` and `UserGroups`: two rows of one membership, which come and go together, and are counted then. */

export type MadeMembershipTables = {
  readonly Groups: Groups<'update'>;
  readonly GroupMembers: GroupMembers<'put'>;
  readonly UserGroups: UserGroups<'put'>;
};

export type EndedMembershipTables = {
  readonly Groups: Groups<'update'>;
  readonly GroupMembers: GroupMembers<'remove'>;
  readonly UserGroups: UserGroups<'remove'>;
};

type Named = Pick<Membership, 'groupId' | 'userId'>;
type Page = { readonly limit: number; readonly after: string | null };

/** Strongly consistent, as is every read here. */
export async function readMembership(
  table: GroupMembers<'get'> | UserGroups<'get'>,
  { groupId, userId }: Named,
): Promise<Membership | null> {
  return get<Membership>(table, { groupId, userId });
}

/** The members of a group, in the order of their ids. */
export async function readMembers(
  table: GroupMembers<'query'>,
  groupId: string,
  { limit, after }: Page,
): Promise<{ members: Membership[]; next: string | null }> {
  const query = inPartition({ groupId }, { userId: all }, after);
  const { rows: members, next } = await queryPage(table, query, limit);
  return { members, next };
}

/** The groups of a user, in the order of their ids. */
export async function readMemberships(
  table: UserGroups<'query'>,
  userId: string,
  { limit, after }: Page,
): Promise<{ memberships: Membership[]; next: string | null }> {
  const query = inPartition({ userId }, { groupId: all }, after);
  const { rows: memberships, next } = await queryPage(table, query, limit);
  return { memberships, next };
}

/** The items of a transaction that puts somebody into a group. It fails where they are in it, or there is no such group. */
export function putMembership(tables: MadeMembershipTables, { groupId, userId, since }: Membership) {
  const row = { groupId, userId, since };
  const isNew = ifAbsent('userId');
  return [
    put(tables.GroupMembers, row, isNew),
    put(tables.UserGroups, row, isNew),
    countMember(tables.Groups, { groupId, userId }, 1),
  ];
}

/** A membership's row; null: there is none. */
type Read = Partial<Membership> | null;

/**
 * The items of a transaction that ends a membership, on the condition that the rows are still these.
 *
 * @param member the group's row, where it was read
 */
export function endMembership(tables: EndedMembershipTables, listed: Membership, member?: Read) {
  return [...removeRows(tables, listed, { listed, member }), countMember(tables.Groups, listed, -1)];
}

/** The same without the count: for rows of a group that is not there, or where the user has none, as no honest function leaves it. */
export function removeRows(
  tables: Pick<EndedMembershipTables, 'GroupMembers' | 'UserGroups'>,
  { groupId, userId }: Named,
  { listed, member }: { readonly listed: Read; readonly member?: Read | undefined },
) {
  return [
    remove(tables.UserGroups, { userId, groupId }, isStill(listed)),
    remove(tables.GroupMembers, { groupId, userId }, member === undefined ? {} : isStill(member)),
  ];
}

function isStill(row: Read) {
  return row ? ifAsRead({ userId: row.userId, since: row.since }) : ifAbsent('userId');
}
