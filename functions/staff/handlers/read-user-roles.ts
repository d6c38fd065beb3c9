import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { StaffNotFound } from '../errors.ts';
import { readUserRoles } from '../routes.ts';
import { readAccount } from '../stores/staff-rows.ts';
import { knownToPool } from '../workflows/change-staff.ts';
import { rolesOfRow } from '../workflows/listed-as.ts';

export const handler = serve(readUserRoles)(async ({ params: { userId }, tables, userPool, fail }) => {
  const account =
    (await readAccount(tables.StaffAccounts, userId)) ??
    (await knownToPool({ client: cognito(), id: userPool.id }, userId, new Date()));
  return account ? { userId, roles: rolesOfRow(account) } : fail(StaffNotFound);
});
