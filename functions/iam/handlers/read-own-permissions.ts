import { namesHeld } from '../../../lib/contract/permissions.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { permissions } from '../../generated/iam-permissions.ts';
import { roles } from '../../product.ts';
import { readOwnPermissions } from '../routes.ts';

export const handler = serve(readOwnPermissions)(async ({ caller, application }) => ({
  userId: caller.userId,
  roles: roles.filter((role) => caller.roles.includes(role)),
  permissions: namesHeld(permissions, { roles: caller.roles, application }),
}));
