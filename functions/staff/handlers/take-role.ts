import { serve } from '../../../lib/runtime/serve.ts';
import { RoleNotFound } from '../errors.ts';
import { takeRole } from '../routes.ts';
import { change, roleNamed } from '../workflows/answer-change.ts';
import { takingRole } from '../workflows/decisions.ts';
import { rolesOfRow } from '../workflows/listed-as.ts';

export const handler = serve(takeRole)(async (input) => {
  const { params, environment, fail } = input;
  const role = roleNamed(params.role, environment);
  if (!role) return fail(RoleNotFound);
  return { userId: params.userId, roles: rolesOfRow(await change(input, params.userId, takingRole(role))) };
});
