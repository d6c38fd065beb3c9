import { PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { replaceVersioned } from '../../audit/exports.ts';
import { changedFields, etagOf, preconditionOf } from '../../audit/rules.ts';
import { groupReplaced } from '../audit-actions.ts';
import { GroupNotFound } from '../errors.ts';
import { replaceGroup } from '../routes.ts';
import { audited } from '../rules/group.ts';
import { groupKey, readGroup, rowOf } from '../stores/groups.ts';

export const handler = serveWithPrefetch(replaceGroup)({
  prefetch: ({ params, tables }) => readGroup(tables.Groups, params.groupId),
  respond: async ({ params, headers, body, caller, application, requestId, tables, fail }, before) => {
    if (!before) return fail(GroupNotFound);
    const asked = { ifMatch: headers['if-match'], ifNoneMatch: undefined };
    const precondition = preconditionOf(before.revision, asked);
    if (precondition === 'missing') return fail(PreconditionRequired);
    if (precondition === 'failed') return fail(PreconditionFailed);
    const group = { ...before, ...body, revision: before.revision + 1, changeId: requestId };
    const audit = {
      application,
      actor: caller.userId,
      action: groupReplaced,
      subject: `group/${params.groupId}`,
      requestId,
      ...changedFields(audited(before), audited(group)),
      realNow: new Date(),
    };
    const replacement = { key: groupKey(params.groupId), row: rowOf(group), audit };
    const isWritten = await replaceVersioned({ rows: tables.Groups, ...tables }, replacement);
    return isWritten ? { etag: etagOf(group.revision), body: group } : fail(PreconditionFailed);
  },
});
