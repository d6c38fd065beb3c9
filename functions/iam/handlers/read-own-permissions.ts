import { permissionsOf, rolesOf } from '../../../lib/contract/permissions.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { readOwnPermissions } from '../routes.ts';

export const handler = serveWithoutTables(readOwnPermissions)(async ({ caller, application, environment }) => ({
  userId: caller.userId,
  roles: rolesOf(application, environment).filter((role) => caller.roles.includes(role)),
  permissions: [...permissionsOf(caller.roles, application, environment)],
}));
