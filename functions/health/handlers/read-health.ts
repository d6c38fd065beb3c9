import { version } from '../../../lib/contract/version.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { deployments } from '../../product.ts';
import { readHealth } from '../routes.ts';

export const handler = serveWithoutTables(readHealth)(async ({ application, environment }) => ({
  status: 'ok' as const,
  environment,
  stage: deployments[application].stage,
  version,
}));
