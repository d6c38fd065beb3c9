import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { readErasure } from '../routes.ts';
import { stateOf } from '../rules/statement.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';
import { applicationOf } from '../stores/known-users.ts';

export const handler = serve(
  readErasure,
  lambdaWithAccess,
)(async ({ params: { userId }, tables, fail }) => {
  const erasure = await readErasureRow(dynamo(), tables.Erasures, userId);
  if (!erasure && (await applicationOf(dynamo(), tables, userId)) === undefined) return fail(UserNotFound);
  return stateOf(userId, erasure, accessSeconds);
});

await initialize(readErasure);
