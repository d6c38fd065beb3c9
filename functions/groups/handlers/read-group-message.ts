import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { GroupMessageNotFound, GroupNotFound } from '../errors.ts';
import { readGroupMessage } from '../routes.ts';
import { shownOf } from '../rules/shown.ts';
import { readBroadcast, readProgress } from '../stores/broadcasts.ts';
import { readGroup } from '../stores/groups.ts';

export const handler = serveWithPrefetch(readGroupMessage)({
  prefetch: ({ params, tables }) =>
    Promise.all([
      readGroup(tables.Groups, params.groupId),
      readBroadcast(tables.GroupMessages, params),
      readProgress(tables.GroupMessageParts, params.broadcastId),
    ]),
  respond: async ({ fail }, [group, broadcast, progress]) => {
    if (!group) return fail(GroupNotFound);
    return broadcast && progress ? shownOf(broadcast, progress) : fail(GroupMessageNotFound);
  },
});
