import { serve } from '../../../lib/runtime/serve.ts';
import { GroupNotFound } from '../errors.ts';
import { listGroupMembers } from '../routes.ts';
import { countMembers, readGroup } from '../stores/groups.ts';
import { readMembers } from '../stores/memberships.ts';

export const handler = serve(listGroupMembers)(async ({ params: { groupId }, page, tables, fail }) => {
  const [group, { members, next }, memberCount] = await Promise.all([
    readGroup(tables.Groups, groupId),
    readMembers(tables.GroupMembers, groupId, page),
    countMembers(tables.Groups, groupId),
  ]);
  if (!group) return fail(GroupNotFound);
  return { items: members, next, metadata: { memberCount } };
});
