import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { GroupNotFound } from '../errors.ts';
import { listGroupMembers } from '../routes.ts';
import { countMembers, readGroup } from '../stores/groups.ts';
import { readMembers } from '../stores/memberships.ts';

export const handler = servePages(
  listGroupMembers,
  lambdaWithAccess,
)(async ({ params: { groupId }, page: { limit, after: last }, tables, fail }) => {
  const after = last ? String(last.userId) : null;
  const [group, { members, next }, memberCount] = await Promise.all([
    readGroup(tables.Groups, groupId),
    readMembers(tables.GroupMembers, groupId, { limit, after }),
    countMembers(tables.Groups, groupId),
  ]);
  if (!group) return fail(GroupNotFound);
  return { items: members, next: next === null ? null : { userId: next }, metadata: { memberCount } };
});
