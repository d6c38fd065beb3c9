import { route } from '../../../lib/contract/route.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { minimal } from './example.ts';

export const handler = serveWithoutTables(route(minimal))(async ({ now }) => {
  // @ts-expect-error TS2339: Property 'toISOString' does not exist on type 'never'
  return { name: now.toISOString() };
});
