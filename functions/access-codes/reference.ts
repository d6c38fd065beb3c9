import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Codes that unlock a therapy: issued by staff, redeemed by patients.',
  examples: {},
};
