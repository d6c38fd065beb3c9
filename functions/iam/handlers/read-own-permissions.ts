import { namesHeld } from '../../../lib/contract/permissions.ts';
import { rolesOf } from '../../../lib/contract/roles.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { rolePlaces } from '../../product.ts';
import { permissions } from '../generated.ts';
import { readOwnPermissions } from '../routes.ts';

export const handler = serveWithoutTables(readOwnPermissions)(async ({ caller, application, environment }) => ({
  userId: caller.userId,
  roles: rolesOf(rolePlaces, application, environment).filter((role) => caller.roles.includes(role)),
  permissions: namesHeld(permissions, { roles: caller.roles, application }),
}));
