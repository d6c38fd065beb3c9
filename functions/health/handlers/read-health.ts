import { deployments } from '../../../lib/contract/deployments.ts';
import { version } from '../../../lib/contract/version.ts';
import { serveTimeless } from '../../../lib/runtime/serve-timeless.ts';
import { readHealth } from '../routes.ts';

export const handler = serveTimeless(readHealth)(async ({ application, environment }) => ({
  status: 'ok' as const,
  environment,
  stage: deployments[application].stage,
  version,
}));
