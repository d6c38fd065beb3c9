import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { findUsers } from '../routes.ts';
import { findByEmail } from '../stores/users.ts';

export const handler = servePagesInSteps(
  findUsers,
  lambdaWithClock,
)({
  read: ({ query, tables }) => findByEmail(dynamo(), tables.Users, 'sleepcare', query.email),
  answer: async (_asked, found) => ({ items: found ? [found] : [], next: null }),
});

await initialize(findUsers);
