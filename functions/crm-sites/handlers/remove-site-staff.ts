import { serve } from '../../../lib/runtime/serve.ts';
import { unseen } from '../../access/check.ts';
import { removeSiteStaff } from '../routes.ts';
import { removeStaff } from '../workflows/change-staff.ts';

export const handler = serve(removeSiteStaff)(async ({ params, caller, application, requestId, tables }) => {
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const isRemoved = await removeStaff(tables, params, occasion);
  const done = { success: true, ...params };
  return isRemoved ? done : unseen(done);
});
