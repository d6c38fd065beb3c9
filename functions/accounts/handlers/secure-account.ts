import { call } from '../../../lib/runtime/procedures.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { TakeAccountBack } from '../procedures.ts';
import { secureAccount } from '../routes.ts';

export const handler = serveWithoutTables(secureAccount)(async ({ body, procedures, count }) => {
  const secured = await call(procedures.TakeAccountBack, TakeAccountBack, body);
  if (secured.status === 'secured') count('accountSecured');
  return secured;
});
