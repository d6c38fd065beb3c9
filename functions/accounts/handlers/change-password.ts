import { Unauthenticated } from '../../../lib/contract/common-errors.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SignInLocked } from '../../auth/errors.ts';
import { endOtherSessions, tryCounted } from '../../auth/exports.ts';
import { sessionIn } from '../../auth/rules.ts';
import { mailTo } from '../../mail/exports.ts';
import { changePassword } from '../routes.ts';
import { replacePassword } from '../stores/user-pool.ts';

export const handler = serve(changePassword)(async (input) => {
  const { body, caller, accessToken, application, tables, secrets, queues, userPool, sourceIp, fail } = input;
  if (!accessToken) throw new Failure(Unauthenticated);
  // A stolen access token guesses no passwords: they count as sign-ins of the account from this address.
  const tried = { secret: secrets.SignInKey, application, username: caller.userId, sourceIp };
  const counted = { dynamo: dynamo(), table: tables.SignInTries, ...tried };
  const said = await tryCounted(counted, () => replacePassword(cognitoOnce(), accessToken, body));
  if (said.outcome === 'locked') return fail(SignInLocked, { lockedUntil: said.lockedUntil });
  if (said.outcome === 'refused') throw said.error;
  await endOtherSessions(
    { dynamo: dynamo(), table: tables.Sessions, secret: secrets.SignInKey, cognito: cognito(), userPool },
    caller.userId,
    sessionIn(accessToken)?.sessionId ?? null,
  );
  await mailTo(queues.MailQueue, {
    kind: 'password-changed',
    application,
    to: { userId: caller.userId },
    locale: null,
    data: {},
  });
  return { success: true as const };
});
