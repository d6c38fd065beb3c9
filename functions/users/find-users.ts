import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { findUsers } from './routes.ts';
import { findByEmail } from './user-store.ts';

export const handler = serve(findUsers)(async ({ query, tables }) => {
  const found = await findByEmail(dynamo(), tables.Users, 'sleepcare', query.email);
  return { items: found ? [found] : [], next: null };
});
