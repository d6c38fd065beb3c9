import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AccountDisabled, InvalidCredentials, SignInLocked } from '../../auth/errors.ts';
import { answerNewPassword, logged, revoke, signIn, tryCounted } from '../../auth/exports.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { mailTo } from '../../mail/exports.ts';
import { PasswordRejected } from '../errors.ts';
import { chooseFirstPassword } from '../routes.ts';
import { weaknessOf } from '../rules/password.ts';

const refused = { outcome: 'refused' } as const;

/** What the alarm counts. A weak new password is not counted, since the temporary one was right. */
const refusals: readonly string[] = ['refused', 'disabled', 'locked'];

export const handler = serve(chooseFirstPassword)(async (input) => {
  const { body, application, requestId, tables, secrets, queues, userPool, sourceIp, count, fail } = input;
  const { email, temporaryPassword, password } = body;
  const named = { secret: secrets.SignInKey, application, username: email };
  const counted = { table: tables.SignInTries, ...named, sourceIp };
  const attempt = { ...named, write: lambda.write, requestId, factor: 'temporary_password' } as const;
  const replace = async () => {
    const begun = await signIn(cognito(), userPool, { username: email, password: temporaryPassword });
    // Nobody gets these tokens: the password is not a temporary one.
    if (begun.outcome === 'tokens') await revoke(cognito(), userPool, begun.tokens.refreshToken);
    if (begun.outcome === 'refused' || begun.outcome === 'disabled') return begun;
    if (begun.outcome !== 'new-password') return refused;
    const { pending } = begun;
    const name = application === 'medinfo' ? await readStaffName(tables.Staff, pending.username) : null;
    const reason = password === temporaryPassword ? 'policy' : weaknessOf(password, { email, name });
    if (reason) return { outcome: 'weak', reason } as const;
    // Before the change: whoever repeats the request has no temporary password any more.
    const to = { userId: pending.username, email };
    await mailTo(queues.MailQueue, { kind: 'password-changed', application, to, locale: null, data: {} });
    const answer = await answerNewPassword(cognitoOnce(), userPool, pending, password);
    if (answer.outcome === 'unfit') return { outcome: 'weak', reason: 'policy' } as const;
    if (answer.outcome === 'wrong-code') return refused;
    if (answer.outcome === 'refused' || answer.outcome === 'disabled') return answer;
    // The user signs in with the new password, as on every other day: with the device, the session and the second factor.
    if (answer.outcome === 'tokens') await revoke(cognito(), userPool, answer.tokens.refreshToken);
    return { outcome: 'changed' } as const;
  };
  const said = await logged(attempt, () => tryCounted(counted, replace));
  if (refusals.includes(said.outcome)) count('firstPasswordRefused');
  if (said.outcome === 'locked') return fail(SignInLocked, { lockedUntil: said.lockedUntil });
  if (said.outcome === 'weak') return fail(PasswordRejected, { reason: said.reason });
  if (said.outcome === 'disabled') return fail(AccountDisabled);
  if (said.outcome === 'refused') return fail(InvalidCredentials);
  return { success: true as const };
});
