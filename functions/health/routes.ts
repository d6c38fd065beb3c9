import * as z from 'zod/mini';
import { route } from '../../lib/contract/route.ts';
import { environments } from '../product.ts';

export const readHealth = route({
  method: 'GET',
  path: '/health',
  summary: 'Whether the API is up, with its environment and version',
  description:
    'It does not check what the API depends on: if a table is down, the alarms show it, and this route does not.',
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
