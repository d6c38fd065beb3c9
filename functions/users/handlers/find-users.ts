import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { findUsers } from '../routes.ts';
import { findByEmail } from '../stores/users.ts';

export const handler = servePages(
  findUsers,
  lambdaWithAccess,
)(async ({ query, tables }) => {
  const found = await findByEmail(dynamo(), tables.Users, 'sleepcare', query.email);
  return { items: found ? [found] : [], next: null };
});

await initialize(findUsers);
