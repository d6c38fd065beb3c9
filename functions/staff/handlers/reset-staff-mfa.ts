import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SecondFactorKept } from '../errors.ts';
import { resetStaffMfa } from '../routes.ts';
import { endsSessions } from '../rules/staff.ts';
import { forgetSecondFactor } from '../stores/user-pool.ts';
import { changedMember } from '../workflows/answer-change.ts';

export const handler = serve(
  resetStaffMfa,
  lambdaWithAccess,
)(async (input) => {
  const { params, userPool, fail } = input;
  // The row first: whoever has the lost phone is refused from then on, whatever becomes of the rest.
  const member = await changedMember(input, params.staffId, endsSessions);
  const isForgotten = await forgetSecondFactor({ client: cognito(), id: userPool.id }, params.staffId);
  return isForgotten ? member : fail(SecondFactorKept);
});

await initialize(resetStaffMfa);
