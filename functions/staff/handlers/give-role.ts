import { serve } from '../../../lib/runtime/serve.ts';
import { RoleNotFound } from '../errors.ts';
import { giveRole } from '../routes.ts';
import { change, roleNamed } from '../workflows/answer-change.ts';
import { givingRole } from '../workflows/decisions.ts';
import { rolesOfRow } from '../workflows/listed-as.ts';
import { tellGiver } from '../workflows/tell-giver.ts';

export const handler = serve(giveRole)(async (input) => {
  const { params, environment, fail } = input;
  const role = roleNamed(params.role, environment);
  if (!role) return fail(RoleNotFound);
  const account = await change(input, params.userId, givingRole(role));
  await tellGiver(input, account, [role], account.changeId);
  return { userId: params.userId, roles: rolesOfRow(account) };
});
