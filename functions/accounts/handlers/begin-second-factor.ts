import { cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { beginSecondFactor } from '../routes.ts';
import { beginSetUp } from '../stores/user-pool.ts';
import { asOwner } from '../workflows/as-owner.ts';

export const handler = serve(beginSecondFactor)(async (input) => {
  const { password, presentCode } = input.body;
  const deps = { ...input, cognito: cognitoOnce() };
  const secret = await asOwner(deps, { passwords: [password], presentCode }, (token) =>
    beginSetUp(cognitoOnce(), token),
  );
  return { secret };
});
