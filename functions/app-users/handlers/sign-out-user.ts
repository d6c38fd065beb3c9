import { lambdaWithAccess } from '../../../lib/runtime/access.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { signOutUser } from '../routes.ts';
import { isCommitted } from '../stores/directory-rows.ts';
import { appUser, audited, endSessions } from '../workflows/administer-user.ts';

export const handler = serve(
  signOutUser,
  lambdaWithAccess,
)(async (input) => {
  const { params, tables, userPool } = input;
  const { username, userId } = await appUser(tables.Users, params.userId);
  // Before the sessions end: what cannot be audited does not happen.
  await isCommitted(dynamo(), [audited(tables.AuditEvents, input, { userId, action: 'user.signed-out' })]);
  await endSessions(userPool.id, username);
  return { success: true, userId };
});

await initialize(signOutUser);
