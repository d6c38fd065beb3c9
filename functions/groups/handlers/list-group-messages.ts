import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { GroupNotFound } from '../errors.ts';
import { listGroupMessages } from '../routes.ts';
import { shownOf } from '../rules/shown.ts';
import { readBroadcasts } from '../stores/broadcasts.ts';
import { readGroup } from '../stores/groups.ts';

export const handler = servePages(
  listGroupMessages,
  lambdaWithClock,
)(async ({ params: { groupId }, page: { limit, after: last }, tables, fail }) => {
  const after = last ? String(last.broadcastId) : null;
  const [group, { shown, next }] = await Promise.all([
    readGroup(tables.Groups, groupId),
    readBroadcasts(tables, groupId, { limit, after }),
  ]);
  if (!group) return fail(GroupNotFound);
  const items = shown.map(({ broadcast, progress }) => shownOf(broadcast, progress));
  return { items, next: next === null ? null : { broadcastId: next } };
});
