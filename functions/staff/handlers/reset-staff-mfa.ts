import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { resetStaffMfa } from '../routes.ts';
import { endsSessions } from '../rules/staff.ts';
import { deleteSecondFactor, signOut } from '../stores/user-pool.ts';
import { changedMember } from '../workflows/answer-change.ts';

export const handler = serve(
  resetStaffMfa,
  lambdaWithAccess,
)(async (input) => {
  const { staffId } = input.params;
  const pool = { client: cognito(), id: input.userPool.id };
  // The row first: whoever has the lost phone is refused from then on, whatever becomes of the rest.
  const member = await changedMember(input, staffId, endsSessions);
  await deleteSecondFactor(pool, staffId);
  // Of whoever signed in with the lost phone in between.
  await signOut(pool, staffId);
  return member;
});

await initialize(resetStaffMfa);
