import { serve } from '../../../lib/runtime/serve.ts';
import { rename } from './example.ts';

export const handler = serve(rename)(async ({ count }) => {
  // @ts-expect-error TS2345: Argument of type '"renamed"' is not assignable to parameter of type 'never'
  count('renamed');
  return { name: 'x' };
});
