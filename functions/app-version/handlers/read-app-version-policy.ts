import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { AppVersionPolicyNotFound } from '../errors.ts';
import { readAppVersionPolicy } from '../routes.ts';
import { readPolicy } from '../stores/policy-rows.ts';

export const handler = serveWithPrefetch(readAppVersionPolicy)({
  prefetch: ({ params, tables }) => readPolicy(tables.AppVersionPolicies, params),
  respond: async ({ fail }, policy) =>
    policy ? { etag: etagOf(policy.revision), body: policy } : fail(AppVersionPolicyNotFound),
});
