import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Whether the API answers.',
  examples: {
    readHealth: { answer: { status: 'ok', environment: 'dev', stage: 'de', version: '0.1.0' } },
  },
};
