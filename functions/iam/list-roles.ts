import { permissionsOf, rolesOf } from '../../lib/contract/permissions.ts';
import { serveTimeless } from '../../lib/runtime/serve-timeless.ts';
import { listRoles } from './routes.ts';

export const handler = serveTimeless(listRoles)(async ({ page, application, environment }) => {
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
