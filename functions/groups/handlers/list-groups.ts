import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listGroups } from '../routes.ts';
import { readGroups } from '../stores/groups.ts';

export const handler = servePagesInSteps(
  listGroups,
  lambdaWithClock,
)({
  read: ({ page: { limit, after }, tables }) =>
    readGroups(tables.Groups, { limit, after: after ? String(after.groupId) : null }),
  answer: async (_asked, { groups, next }) => ({ items: groups, next: next === null ? null : { groupId: next } }),
});
