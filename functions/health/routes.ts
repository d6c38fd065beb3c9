import * as z from 'zod/mini';
import { environments } from '../../lib/contract/deployments.ts';
import { route } from '../../lib/contract/route.ts';

export const readHealth = route({
  method: 'GET',
  path: '/health',
  summary: 'Whether the API is up, with its environment and version',
  description: 'Says nothing of what lies behind the API: a table that is down shows in the alarms, not here.',
  applications: ['sleepcare', 'medinfo'],
  auth: 'public',
  response: z.object({
    status: z.literal('ok'),
    environment: z.enum(environments),
    stage: z.string(),
    version: z.string(),
  }),
  errors: [],
});
