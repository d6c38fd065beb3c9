import { PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { preconditionOf } from '../../audit/rules.ts';
import { GroupNotEmpty, GroupNotFound } from '../errors.ts';
import { deleteGroup } from '../routes.ts';
import { readGroup } from '../stores/groups.ts';
import { removeGroup } from '../workflows/change-group.ts';

export const handler = serveWithPrefetch(deleteGroup)({
  prefetch: ({ params, tables }) => readGroup(tables.Groups, params.groupId),
  respond: async ({ params, headers, caller, application, requestId, tables, fail }, group) => {
    if (!group) return fail(GroupNotFound);
    const precondition = preconditionOf(group.revision, { ifMatch: headers['if-match'], ifNoneMatch: undefined });
    if (precondition === 'missing') return fail(PreconditionRequired);
    if (precondition === 'failed') return fail(PreconditionFailed);
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const outcome = await removeGroup(tables, group, occasion);
    if (outcome === 'not-empty') return fail(GroupNotEmpty);
    return outcome === 'deleted' ? { success: true, ...params } : fail(PreconditionFailed);
  },
});
