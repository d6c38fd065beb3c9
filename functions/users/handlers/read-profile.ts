import { cognito } from '../../../lib/runtime/cognito.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { roles } from '../../product.ts';
import { UserNotFound } from '../errors.ts';
import { readProfile } from '../routes.ts';
import { introduce } from '../stores/user-pool.ts';
import { meetUser, readUser } from '../stores/users.ts';

export const handler = serveWithPrefetch(readProfile)({
  prefetch: ({ caller, tables }) => readUser(tables.Users, caller.userId),
  respond: async (input, known) => {
    const { caller, tables, userPool, fail } = input;
    const make = () => introduce(cognito(), userPool.id, input);
    const user = await meetUser(tables.Users, caller.userId, make, { known });
    if (!user) return fail(UserNotFound);
    const { birthYear = null } = user;
    return {
      ...user,
      birthYear,
      roles: roles.filter((role) => caller.roles.includes(role)),
    };
  },
});
