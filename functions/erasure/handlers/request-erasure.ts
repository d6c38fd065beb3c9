import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { requestErasure } from '../routes.ts';
import { requestOf } from '../rules/statement.ts';
import { requestedBy } from '../stores/profile-tombstone.ts';
import { closeSignIn } from '../stores/user-pool.ts';
import { changeLogged, registerAt } from '../workflows/register.ts';
import { closeAccess } from '../workflows/take-step.ts';

export const handler = serve(requestErasure)(async ({ caller, application, now, tables, buckets, userPool }) => {
  const { userId } = caller;
  const place = { dynamo: dynamo(), s3: s3(), table: tables.Erasures, bucket: buckets.Evidence };
  const asked = { userId, application, now: new Date() };
  // First of all, so that what fails after it is completed by the next run of eraseAccounts.
  const recorded = await changeLogged(place, userId, requestedBy(dynamo(), tables.Users, asked));
  if (recorded?.closedAt) return requestOf(recorded);
  const register = registerAt(place, () => new Date(), now);
  const erasure = await closeAccess(userId, register, {
    closeSignIn: () => closeSignIn(cognito(), userPool.id, userId),
    accessSeconds,
  });
  return requestOf(erasure);
});

await initialize(requestErasure);
