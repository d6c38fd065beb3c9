import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { etagOf, preconditionOf, problemsOf } from './policy.ts';
import { readRevision, writePolicy } from './policy-store.ts';
import { putAppVersionPolicy } from './routes.ts';

export const handler = serve(putAppVersionPolicy)(
  async ({ params, headers, body, caller, now, requestId, tables, fail }) => {
    const problems = problemsOf(body);
    if (problems.length > 0) {
      return fail('VALIDATION_FAILED', { issues: problems.map((problem) => ({ in: 'body', ...problem })) });
    }
    const current = await readRevision(dynamo(), tables.AppVersionPolicies, params);
    const precondition = preconditionOf(current, {
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    });
    if (precondition === 'missing') return fail('PRECONDITION_REQUIRED');
    if (precondition === 'failed') return fail('PRECONDITION_FAILED');
    const policy = {
      ...params,
      ...body,
      revision: current + 1,
      updatedAt: now.toISOString(),
      updatedBy: caller.userId,
    };
    const isWritten = await writePolicy(dynamo(), tables.AppVersionPolicies, policy, requestId);
    return isWritten ? { etag: etagOf(policy.revision), body: policy } : fail('PRECONDITION_FAILED');
  },
);
