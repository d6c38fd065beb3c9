import { route } from '../../../lib/contract/route.ts';
import { serveTimeless } from '../../../lib/runtime/serve-timeless.ts';
import { minimal } from './example.ts';

export const handler = serveTimeless(route(minimal))(async ({ now }) => {
  // @ts-expect-error TS2339: Property 'toISOString' does not exist on type 'never'
  return { name: now.toISOString() };
});
