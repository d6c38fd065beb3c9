import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { findUsers } from '../routes.ts';
import { findByEmail } from '../stores/users.ts';

export const handler = servePagesInSteps(
  findUsers,
  lambdaWithAccess,
)({
  read: ({ query, tables }) => findByEmail(dynamo(), tables.Users, 'sleepcare', query.email),
  answer: async (_asked, found) => ({ items: found ? [found] : [], next: null }),
});

await initialize(findUsers);
