import { serve } from '../../../lib/runtime/serve.ts';
import { readSignIns } from '../../auth/exports.ts';
import { listSignInsOfUser } from '../routes.ts';
import { appUser } from '../workflows/administer-user.ts';

export const handler = serve(listSignInsOfUser)(async ({ page, params, tables }) => {
  const { userId } = await appUser(tables.Users, params.userId);
  // Real time, as the sign-ins have it, whatever the time machine says.
  const asked = { ...page, now: new Date() };
  const { signIns, next } = await readSignIns(tables.SignIns, userId, asked);
  return { items: signIns, next };
});
