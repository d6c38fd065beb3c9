import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Clinics and practices, who works there, and the patients who are with them.',
  examples: {},
};
