import { namesHeld } from '../../../lib/contract/permissions.ts';
import { rolesOf } from '../../../lib/contract/roles.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { permissions } from '../../generated/iam-permissions.ts';
import { rolePlaces } from '../../product.ts';
import { listRoles } from '../routes.ts';

export const handler = servePages(
  listRoles,
  lambdaWithClock,
)(async ({ page, application, environment }) => {
  const all = rolesOf(rolePlaces, application, environment);
  const from = Number(page.after?.from ?? 0);
  const to = from + page.limit;
  return {
    items: all.slice(from, to).map((role) => ({
      role,
      permissions: namesHeld(permissions, { roles: [role], application }),
    })),
    next: to < all.length ? { from: to } : null,
  };
});
