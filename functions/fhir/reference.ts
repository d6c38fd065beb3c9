import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: "A person's data in the format that other health systems read.",
  examples: {},
};
