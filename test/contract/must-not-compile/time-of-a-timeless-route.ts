import { route } from '../../../lib/contract/route.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { minimal } from './example.ts';

export const handler = serve(route(minimal))(async ({ now }) => {
  // @ts-expect-error TS2339: Property 'toISOString' does not exist on type 'never'
  return { name: now.toISOString() };
});
