import { cognito } from '../../../lib/runtime/cognito.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import {
  AccountDisabled,
  ChallengeRequired,
  InvalidCredentials,
  RecoveryCodeInvalid,
  SignInLocked,
} from '../errors.ts';
import { useRecoveryCode } from '../routes.ts';
import { newPasswordRequired } from '../rules/sign-in.ts';
import { logged } from '../stores/sign-in-log.ts';
import { tryCounted } from '../stores/sign-in-tries.ts';
import { revoke, signIn } from '../stores/user-pool.ts';
import { recover } from '../workflows/recover.ts';

export const handler = serve(useRecoveryCode)(async (input) => {
  const { body, application, requestId, tables, secrets, queues, userPool, sourceIp, count, fail } = input;
  const { username, password, recoveryCode } = body;
  const deps = { tables, cognito: cognito(), userPool };
  const counted = { table: tables.SignInTries, secret: secrets.SignInKey, application, sourceIp };
  const attempt = { write: lambda.write, secret: secrets.SignInKey, application, requestId };
  const tried = { ...attempt, factor: 'recovery_code' as const, username };
  const attempted = () =>
    tryCounted({ ...counted, username }, async () => {
      const signedIn = await signIn(cognito(), userPool, { username, password });
      // The password first: without it nobody learns whether a code is right.
      if (signedIn.outcome !== 'totp') return signedIn;
      const isRecovered = await recover(deps, signedIn.pending, recoveryCode, {
        application,
        requestId,
        tell: (userId, left) =>
          mailTo(queues.MailQueue, {
            kind: 'recovery-code-used',
            application,
            to: { userId },
            locale: null,
            data: { left: String(left) },
          }),
      });
      return isRecovered ? signedIn : { outcome: 'wrong-code' as const };
    });
  const said = await logged(tried, attempted);
  if (refusals.includes(said.outcome)) count('recoveryRefused');
  switch (said.outcome) {
    case 'tokens':
      // There is no app to remove, and nobody gets these tokens.
      await revoke(cognito(), userPool, said.tokens.refreshToken);
      return { success: true as const };
    case 'totp':
    case 'totp-setup':
      return { success: true as const };
    case 'wrong-code':
      return fail(RecoveryCodeInvalid);
    case 'new-password':
      return fail(ChallengeRequired, { challenge: newPasswordRequired });
    case 'challenge':
      return fail(ChallengeRequired, { challenge: said.challenge });
    case 'locked':
      return fail(SignInLocked, { lockedUntil: said.lockedUntil });
    case 'disabled':
      return fail(AccountDisabled);
    case 'refused':
      return fail(InvalidCredentials);
  }
});

/** What the alarm on refused recoveries counts. */
const refusals: readonly string[] = ['refused', 'wrong-code', 'disabled', 'locked'];
