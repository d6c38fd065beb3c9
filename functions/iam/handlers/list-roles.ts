import { namesHeld } from '../../../lib/contract/permissions.ts';
import { rolesOf } from '../../../lib/contract/roles.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { permissions } from '../../generated/iam-permissions.ts';
import { roleScopes } from '../../product.ts';
import { listRoles } from '../routes.ts';

export const handler = serve(listRoles)(async ({ page, application, environment }) => {
  const all = rolesOf(roleScopes, application, environment);
  const from = Number(page.after ?? 0);
  const to = from + page.limit;
  return {
    items: all.slice(from, to).map((role) => ({
      role,
      permissions: namesHeld(permissions, { roles: [role], application }),
    })),
    next: to < all.length ? String(to) : null,
  };
});
