import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { GroupNotFound } from '../errors.ts';
import { readGroup } from '../routes.ts';
import { readGroup as read } from '../stores/groups.ts';

export const handler = serveWithPrefetch(readGroup)({
  prefetch: ({ params, tables }) => read(tables.Groups, params.groupId),
  respond: async ({ fail }, group) => (group ? { etag: etagOf(group.revision), body: group } : fail(GroupNotFound)),
});
