import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { GroupMessageNotFound, GroupNotFound } from '../errors.ts';
import { readGroupMessage } from '../routes.ts';
import { shownOf } from '../rules/shown.ts';
import { readBroadcast, readProgress } from '../stores/broadcasts.ts';
import { readGroup } from '../stores/groups.ts';

export const handler = serveInSteps(readGroupMessage)({
  read: ({ params, tables }) =>
    Promise.all([
      readGroup(tables.Groups, params.groupId),
      readBroadcast(tables.GroupMessages, params),
      readProgress(tables.GroupMessageParts, params.broadcastId),
    ]),
  answer: async ({ fail }, [group, broadcast, progress]) => {
    if (!group) return fail(GroupNotFound);
    return broadcast && progress ? shownOf(broadcast, progress) : fail(GroupMessageNotFound);
  },
});
