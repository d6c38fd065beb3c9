import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listGroups } from '../routes.ts';
import { readGroups } from '../stores/groups.ts';

export const handler = serveWithPrefetch(listGroups)({
  prefetch: ({ page, tables }) => readGroups(tables.Groups, page),
  respond: async (_asked, { groups, next }) => ({ items: groups, next }),
});
