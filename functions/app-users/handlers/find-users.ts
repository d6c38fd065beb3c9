import { Forbidden } from '../../../lib/contract/common-errors.ts';
import { isHeld } from '../../../lib/contract/permissions.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { GroupNotFound } from '../../groups/errors.ts';
import { readGroup, readMembers } from '../../groups/exports.ts';
import { administerGroups } from '../../groups/permissions.ts';
import { findByEmail, readProfiles } from '../../users/exports.ts';
import { findUsers } from '../routes.ts';
import { isWithin } from '../rules/directory.ts';
import { readEntries, readEntry, readListed } from '../stores/directory-rows.ts';
import { shown } from '../workflows/administer-user.ts';

export const handler = serve(findUsers)(async ({ query, page, caller, application, tables, fail }) => {
  if (query.email !== undefined) {
    const user = await findByEmail(tables.Users, 'sleepcare', query.email);
    if (!user) return { items: [], next: null };
    return { items: [shown(user, await readEntry(tables.UserDirectory, user.userId))], next: null };
  }
  if (query.groupId !== undefined) {
    const { groupId } = query;
    // Who is in a group may say something of a person's health.
    if (!isHeld(administerGroups, { roles: caller.roles, application })) throw new Failure(Forbidden);
    const [group, { members, next }] = await Promise.all([
      readGroup(tables.Groups, groupId),
      readMembers(tables.GroupMembers, groupId, page),
    ]);
    if (!group) return fail(GroupNotFound);
    const ids = members.map(({ userId }) => userId);
    const [users, entries] = await Promise.all([
      readProfiles(tables.Users, ids),
      readEntries(tables.UserDirectory, ids),
    ]);
    const items = ids.flatMap((userId) => {
      const user = users.get(userId);
      // A group of staff has none of the app's users.
      if (user?.application !== 'sleepcare') return [];
      const found = shown(user, entries.get(userId) ?? null);
      return isWithin(found, query) ? [found] : [];
    });
    return { items, next };
  }
  const { listed, next } = await readListed(tables.UserDirectory, query, page);
  const users = await readProfiles(
    tables.Users,
    listed.map(({ userId }) => userId),
  );
  // A user who was erased a moment ago may still be in the list.
  const items = listed.flatMap((row) => {
    const user = users.get(row.userId);
    return user ? [shown(user, row)] : [];
  });
  return { items, next };
});
