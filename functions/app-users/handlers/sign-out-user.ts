import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { endInPoolAndList } from '../../auth/exports.ts';
import { userSignedOut } from '../audit-actions.ts';
import { signOutUser } from '../routes.ts';
import { endSessions } from '../stores/user-pool.ts';
import { appUser, audit } from '../workflows/administer-user.ts';

export const handler = serve(signOutUser)(async (input) => {
  const { params, tables, userPool } = input;
  const { userId } = await appUser(tables.Users, params.userId);
  await audit(tables.AuditEvents, input, { userId, action: userSignedOut });
  const signOut = () => endSessions(cognito(), userPool.id, userId);
  await endInPoolAndList(tables, userId, signOut);
  return { success: true, userId };
});
