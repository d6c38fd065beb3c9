import { permissionsOf, rolesOf } from '../../../lib/contract/permissions.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listRoles } from '../routes.ts';

export const handler = servePages(
  listRoles,
  lambda,
)(async ({ page, application, environment }) => {
  const all = rolesOf(application, environment);
  const from = Number(page.after?.from ?? 0);
  const to = from + page.limit;
  return {
    items: all.slice(from, to).map((role) => ({
      role,
      permissions: [...permissionsOf([role], application, environment)],
    })),
    next: to < all.length ? { from: to } : null,
  };
});
