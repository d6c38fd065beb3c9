import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { isInPool, readProfile } from '../../users/exports.ts';
import { SiteClosed, SiteNotFound } from '../errors.ts';
import { putSiteStaff } from '../routes.ts';
import { putStaff } from '../workflows/change-staff.ts';

export const handler = serve(putSiteStaff)(async (input) => {
  const { params, body, caller, application, now, requestId, tables, userPool, fail } = input;
  const { userId } = params;
  const profile = await readProfile(tables.Users, userId);
  // An account has no profile before its first use, and the pool of this application has no patients.
  const isStaff = profile ? profile.application === application : await isInPool(cognito(), userPool.id, userId);
  if (!isStaff) return fail(UserNotFound);
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  try {
    // It is the account of the member of staff that has to be open when the row is there.
    const post = await whileOpen({ table: tables.Accounts, userId }, () =>
      putStaff(tables, { ...params, name: body.name, now }, occasion),
    );
    if (post === 'closed') return fail(SiteClosed);
    return post ? { ...post, name: body.name } : fail(SiteNotFound);
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return fail(UserNotFound);
    throw error;
  }
});
