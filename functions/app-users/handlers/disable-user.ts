import { serve } from '../../../lib/runtime/serve.ts';
import { endAllSessions } from '../../auth/exports.ts';
import { disableUser } from '../routes.ts';
import { setStatus } from '../workflows/administer-user.ts';

export const handler = serve(disableUser)(async (input) => {
  const user = await setStatus(input, input.params.userId, 'disabled');
  // Of one who is enabled again, too, the list of sessions shows none that ended.
  await endAllSessions(input.tables, user.userId, new Date());
  return user;
});
