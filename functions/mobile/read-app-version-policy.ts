import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { etagOf } from './policy.ts';
import { readPolicy } from './policy-store.ts';
import { readAppVersionPolicy } from './routes.ts';

export const handler = serve(readAppVersionPolicy)(async ({ params, tables, fail }) => {
  const policy = await readPolicy(dynamo(), tables.AppVersionPolicies, params);
  return policy ? { etag: etagOf(policy.revision), body: policy } : fail('APP_VERSION_POLICY_NOT_FOUND');
});
