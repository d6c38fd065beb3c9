import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'The sleep diary, nights that devices recorded, and the sleep window of sleep restriction therapy.',
  examples: {},
};
