import { isTime } from '../../../lib/contract/instant.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { groupMemberAdded, groupMemberRemoved } from '../audit-actions.ts';
import { type Group, type Membership, mostMembers } from '../rules/group.ts';
import { countMembers, readGroup } from '../stores/groups.ts';
import {
  type EndedMembershipTables,
  endMembership,
  type MadeMembershipTables,
  putMembership,
  readMembership,
  removeRows,
} from '../stores/memberships.ts';
import type { GroupMembers, Groups, UserGroups } from '../tables.ts';

/** Who is in a group: each change with its count and its audit event, all or none. */

type ChangedTables = {
  readonly GroupMembers: GroupMembers<'get'>;
  readonly AuditEvents: AuditEvents<'put'>;
};
type Named = Pick<Membership, 'groupId' | 'userId'>;

/**
 * Puts somebody into a group. The first `since` stays.
 *
 * @param isUser whether they can be in a group of that kind
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function addMember(
  tables: ChangedTables & MadeMembershipTables & { readonly Groups: Groups<'get' | 'query'> },
  { groupId, userId }: Named,
  isUser: (kind: Group['kind']) => Promise<boolean>,
  occasion: AuditOccasion,
): Promise<Membership | 'no-group' | 'no-user' | 'full'> {
  let isKnown = false;
  return retryOnContention(async () => {
    const [group, before, members] = await Promise.all([
      readGroup(tables.Groups, groupId),
      readMembership(tables.GroupMembers, { groupId, userId }),
      countMembers(tables.Groups, groupId),
    ]);
    if (!group) return 'no-group';
    if (before) return before;
    isKnown ||= await isUser(group.kind);
    if (!isKnown) return 'no-user';
    // Several at once can come to some more, which does no harm.
    if (members >= mostMembers) return 'full';
    const membership = { groupId, userId, since: new Date().toISOString() };
    const { since } = membership;
    const change = { action: groupMemberAdded, subject: subjectOf(membership), before: null, after: { since } };
    const isDone = await commit([...putMembership(tables, membership), audited(tables.AuditEvents, occasion, change)]);
    return isDone ? membership : contended;
  });
}

/**
 * Ends a membership, also one that lacks one of its rows; where there is none it changes nothing.
 *
 * @returns whether there was one
 * @throws as `addMember`
 */
export async function endMember(
  tables: ChangedTables & EndedMembershipTables & { readonly UserGroups: UserGroups<'get'> },
  named: Named,
  occasion: AuditOccasion,
): Promise<boolean> {
  return retryOnContention(async () => {
    const [member, listed] = await Promise.all([
      readMembership(tables.GroupMembers, named),
      readMembership(tables.UserGroups, named),
    ]);
    const before = listed ?? member;
    if (!before) return false;
    const since = isTime(before.since) ? before.since : null;
    const change = { action: groupMemberRemoved, subject: subjectOf(named), before: { since }, after: null };
    const rows = listed ? endMembership(tables, listed, member) : removeRows(tables, named, { listed, member });
    const isDone = await commit([...rows, audited(tables.AuditEvents, occasion, change)]);
    return isDone || contended;
  });
}

function subjectOf({ groupId, userId }: Named): string {
  return `group/${groupId}/member/${userId}`;
}
