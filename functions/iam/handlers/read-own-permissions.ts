import { permissionsOf, rolesOf } from '../../../lib/contract/permissions.ts';
import { serveTimeless } from '../../../lib/runtime/serve-timeless.ts';
import { readOwnPermissions } from '../routes.ts';

export const handler = serveTimeless(readOwnPermissions)(async ({ caller, application, environment }) => ({
  userId: caller.userId,
  roles: rolesOf(application, environment).filter((role) => caller.roles.includes(role)),
  permissions: [...permissionsOf(caller.roles, application, environment)],
}));
