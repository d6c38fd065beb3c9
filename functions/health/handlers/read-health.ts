import { version } from '../../../lib/contract/version.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { deployments } from '../../product.ts';
import { readHealth } from '../routes.ts';

export const handler = serve(readHealth)(async ({ application, environment }) => ({
  status: 'ok' as const,
  environment,
  stage: deployments[application].stage,
  version,
}));
