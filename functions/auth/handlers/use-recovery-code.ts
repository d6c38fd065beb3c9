import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import { ChallengeRequired, InvalidCredentials, RecoveryCodeInvalid, SignInLocked } from '../errors.ts';
import { useRecoveryCode } from '../routes.ts';
import { tryCounted } from '../stores/sign-in-tries.ts';
import { revoke, signIn } from '../stores/user-pool.ts';
import { recover } from '../workflows/recover.ts';

export const handler = serve(useRecoveryCode)(async (input) => {
  const { body, application, requestId, tables, secrets, queues, userPool, sourceIp, fail } = input;
  const { username, password, recoveryCode } = body;
  const place = { dynamo: dynamo(), tables, secret: secrets.SignInKey, cognito: cognito(), userPool };
  const counted = { dynamo: dynamo(), table: tables.SignInTries, secret: secrets.SignInKey, application, sourceIp };
  const said = await tryCounted({ ...counted, username }, async () => {
    const signedIn = await signIn(cognito(), userPool, { username, password });
    // The password first: without it nobody learns whether a code is right.
    if (signedIn.outcome !== 'totp') return signedIn;
    const isRecovered = await recover(place, signedIn.pending, recoveryCode, {
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
    case 'challenge':
      return fail(ChallengeRequired, { challenge: said.challenge });
    case 'locked':
      return fail(SignInLocked, { lockedUntil: said.lockedUntil });
    case 'refused':
      return fail(InvalidCredentials);
  }
});
