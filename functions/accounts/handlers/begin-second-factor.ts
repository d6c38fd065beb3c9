import { Unauthenticated } from '../../../lib/contract/common-errors.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import { beginSecondFactor } from '../routes.ts';
import { beginSetUp } from '../stores/user-pool.ts';

export const handler = serveWithoutTables(beginSecondFactor)(async ({ accessToken }) => {
  if (!accessToken) throw new Failure(Unauthenticated);
  return { secret: await beginSetUp(cognito(), accessToken) };
});
