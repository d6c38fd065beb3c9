import { namesHeld } from '../../../lib/contract/permissions.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { permissions } from '../../generated/iam-permissions.ts';
import { roles } from '../../product.ts';
import { readOwnPermissions } from '../routes.ts';

export const handler = serveWithoutTables(readOwnPermissions)(async ({ caller, application }) => ({
  userId: caller.userId,
  roles: roles.filter((role) => caller.roles.includes(role)),
  permissions: namesHeld(permissions, { roles: caller.roles, application }),
}));
