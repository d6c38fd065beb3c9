import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { endOtherSessions, endSignInsUnderWay } from '../../auth/exports.ts';
import { mailTo } from '../../mail/exports.ts';
import { PasswordRejected } from '../errors.ts';
import { changePassword } from '../routes.ts';
import { weaknessOf } from '../rules/password.ts';
import { readOwner } from '../stores/owner.ts';
import * as userPoolStore from '../stores/user-pool.ts';
import { asOwner } from '../workflows/as-owner.ts';

export const handler = serve(changePassword)(async (input) => {
  const { body, caller, application, tables, secrets, queues, userPool, fail } = input;
  const { currentPassword, password, presentCode } = body;
  const owner = await readOwner(tables, { application, userId: caller.userId });
  const reason = weaknessOf(password, owner);
  if (reason) return fail(PasswordRejected, { reason });
  const deps = { ...input, cognito: cognitoOnce() };
  // Where `password` is the one already, this is the same request again, after a crash or a second click: it goes on.
  await asOwner(deps, { passwords: [currentPassword, password], presentCode }, async (token, typed) => {
    // Before the change: a thief would not repeat the request for the sake of the notice.
    const to = { userId: caller.userId };
    await mailTo(queues.MailQueue, { kind: 'password-changed', application, to, locale: null, data: {} });
    if (typed === currentPassword) await userPoolStore.changePassword(cognitoOnce(), token, typed, password);
    await endSignInsUnderWay(tables.EndedSessions, caller.userId, new Date());
    const ending = { tables, secret: secrets.SignInKey, cognito: cognito(), userPool };
    await endOtherSessions(ending, caller, 'password', () => userPoolStore.signOut(cognito(), token));
  });
  return { success: true as const };
});
