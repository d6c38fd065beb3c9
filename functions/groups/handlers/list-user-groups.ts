import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listUserGroups } from '../routes.ts';
import { readGroupsOf } from '../stores/groups.ts';
import { readMemberships } from '../stores/memberships.ts';

export const handler = servePages(
  listUserGroups,
  lambdaWithAccess,
)(async ({ params: { userId }, page: { limit, after: last }, tables }) => {
  const after = last ? String(last.groupId) : null;
  const { memberships, next } = await readMemberships(tables.UserGroups, userId, { limit, after });
  const ids = memberships.map(({ groupId }) => groupId);
  const groups = await readGroupsOf(tables.Groups, ids);
  const items = memberships.flatMap(({ groupId, since }) => {
    const group = groups.get(groupId);
    return group ? [{ groupId, name: group.name, kind: group.kind, since }] : [];
  });
  return { items, next: next === null ? null : { groupId: next } };
});
