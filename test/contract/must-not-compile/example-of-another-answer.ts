import type { ReferenceTo } from '../../../lib/contract/reference.ts';
import type { rename } from './example.ts';

export const reference: ReferenceTo<{ rename: typeof rename }> = {
  about: 'Things.',
  examples: {
    // @ts-expect-error TS2353: 'title' does not exist in type
    rename: { params: { thingId: 'thing' }, body: { name: 'new' }, answer: { title: 'new' } },
  },
};
