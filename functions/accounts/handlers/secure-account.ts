import { call } from '../../../lib/runtime/procedures.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { TakeAccountBack } from '../procedures.ts';
import { secureAccount } from '../routes.ts';

export const handler = serve(secureAccount)(async ({ body, procedures, count }) => {
  const secured = await call(procedures.TakeAccountBack, TakeAccountBack, body);
  if (secured.status === 'secured') count('accountSecured');
  return secured;
});
