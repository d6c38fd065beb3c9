import { serve } from '../../../lib/runtime/serve.ts';
import { GroupNotFound } from '../errors.ts';
import { listGroupMessages } from '../routes.ts';
import { shownOf } from '../rules/shown.ts';
import { readBroadcasts } from '../stores/broadcasts.ts';
import { readGroup } from '../stores/groups.ts';

export const handler = serve(listGroupMessages)(async ({ params: { groupId }, page, tables, fail }) => {
  const [group, { shown, next }] = await Promise.all([
    readGroup(tables.Groups, groupId),
    readBroadcasts(tables, groupId, page),
  ]);
  if (!group) return fail(GroupNotFound);
  const items = shown.map(({ broadcast, progress }) => shownOf(broadcast, progress));
  return { items, next };
});
