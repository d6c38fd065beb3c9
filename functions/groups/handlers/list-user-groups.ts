import { serve } from '../../../lib/runtime/serve.ts';
import { listUserGroups } from '../routes.ts';
import { readGroupsOf } from '../stores/groups.ts';
import { readMemberships } from '../stores/memberships.ts';

export const handler = serve(listUserGroups)(async ({ params: { userId }, page, tables }) => {
  const { memberships, next } = await readMemberships(tables.UserGroups, userId, page);
  const ids = memberships.map(({ groupId }) => groupId);
  const groups = await readGroupsOf(tables.Groups, ids);
  const items = memberships.flatMap(({ groupId, since }) => {
    const group = groups.get(groupId);
    return group ? [{ groupId, name: group.name, kind: group.kind, since }] : [];
  });
  return { items, next };
});
