import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { changedFields, etagOf, preconditionOf } from '../../audit/rules.ts';
import { appVersionPolicyReplaced } from '../audit-actions.ts';
import { putAppVersionPolicy } from '../routes.ts';
import { problemsOf } from '../rules/policy.ts';
import { readRow, writePolicy } from '../stores/policy-rows.ts';

export const handler = serveWithPrefetch(putAppVersionPolicy)({
  prefetch: ({ params, tables }) => readRow(tables.AppVersionPolicies, params),
  respond: async ({ params, headers, body, caller, application, now, requestId, tables, fail }, row) => {
    const problems = problemsOf(body);
    if (problems.length > 0) {
      return fail(ValidationFailed, {
        issues: problems.map((problem) => ({ in: 'body', code: 'inconsistent', ...problem })),
      });
    }
    const current = row?.revision ?? 0;
    const precondition = preconditionOf(current, {
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    });
    if (precondition === 'missing') return fail(PreconditionRequired);
    if (precondition === 'failed') return fail(PreconditionFailed);
    const policy = {
      ...params,
      ...body,
      revision: current + 1,
      updatedAt: now.toISOString(),
      updatedBy: caller.userId,
    };
    const audit = {
      application,
      actor: caller.userId,
      action: appVersionPolicyReplaced,
      subject: `app-version-policy/${params.application}/${params.platform}`,
      requestId,
      ...changedFields(row, body),
      realNow: new Date(),
    };
    const isWritten = await writePolicy(tables, { policy, changeId: requestId, audit });
    return isWritten ? { etag: etagOf(policy.revision), body: policy } : fail(PreconditionFailed);
  },
});
