import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { UserNotFound } from '../../users/errors.ts';
import { isInPool, readProfile } from '../../users/exports.ts';
import { GroupFull, GroupNotFound } from '../errors.ts';
import { putGroupMember } from '../routes.ts';
import { applicationOf, type Group } from '../rules/group.ts';
import { addMember } from '../workflows/change-members.ts';

export const handler = serve(putGroupMember)(async (input) => {
  const { params, caller, application, requestId, tables, userPool, fail } = input;
  const { userId } = params;
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const isUser = async (kind: Group['kind']) => {
    const profile = await readProfile(tables.Users, userId);
    if (profile) return profile.application === applicationOf(kind);
    // A patient's account has no profile before its first use. The function asks only the patients' pool.
    return kind === 'patients' && (await isInPool(cognito(), userPool.id, userId));
  };
  try {
    // It is the member's account that has to be open when the row is there.
    const member = await whileOpen({ table: tables.Accounts, userId }, () =>
      addMember(tables, params, isUser, occasion),
    );
    if (member === 'no-group') return fail(GroupNotFound);
    if (member === 'no-user') return fail(UserNotFound);
    return member === 'full' ? fail(GroupFull) : member;
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return fail(UserNotFound);
    throw error;
  }
});
