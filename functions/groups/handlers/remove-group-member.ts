import { serve } from '../../../lib/runtime/serve.ts';
import { unseen } from '../../access/check.ts';
import { removeGroupMember } from '../routes.ts';
import { endMember } from '../workflows/change-members.ts';

export const handler = serve(removeGroupMember)(async ({ params, caller, application, requestId, tables }) => {
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const isRemoved = await endMember(tables, params, occasion);
  const done = { success: true, ...params };
  return isRemoved ? done : unseen(done);
});
