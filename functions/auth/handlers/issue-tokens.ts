import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import {
  ChallengeRequired,
  InvalidCredentials,
  InvalidGrant,
  SignInLocked,
  TotpInvalid,
  TotpRequired,
  TotpSetupRequired,
} from '../errors.ts';
import { issueTokens } from '../routes.ts';
import { type Pending, packed, unpacked } from '../rules/session.ts';
import { forgetSealedTries, sealedTries, tryCounted } from '../stores/sign-in-tries.ts';
import { beginSetUp, finishSetUp, renew, sendCode, signIn } from '../stores/user-pool.ts';
import { handOut, noteDevice } from '../workflows/hand-out.ts';

export const handler = serve(issueTokens)(async (input) => {
  const { body, headers, application, tables, secrets, queues, userPool, sourceIp, fail } = input;
  const secret = secrets.SignInKey;
  const place = { dynamo: dynamo(), tables, secret, cognito: cognito(), userPool };
  const counted = { dynamo: dynamo(), table: tables.SignInTries, secret, application, sourceIp };
  const said = await (async () => {
    switch (body.grantType) {
      case 'password':
        return tryCounted({ ...counted, username: body.username }, () => signIn(cognito(), userPool, body));
      case 'refresh_token':
        return renew(cognito(), userPool, body.refreshToken);
      case 'totp':
      case 'totp_setup': {
        const pending = unpacked(body.session);
        if (!pending) return { outcome: 'refused' as const };
        const send = body.grantType === 'totp' ? sendCode : finishSetUp;
        const once = () => send(cognitoOnce(), userPool, { pending, code: body.code });
        const answer = await tryCounted({ ...counted, username: pending.username }, once);
        if (answer.outcome === 'tokens') await forgetSealedTries(counted, pending);
        return answer;
      }
    }
  })();
  const sessionOf = (pending: Pending) => {
    if (body.grantType !== 'password') return packed(pending);
    return packed({ ...pending, tries: sealedTries({ ...counted, username: body.username }, pending) });
  };

  switch (said.outcome) {
    case 'tokens': {
      const isSignIn = body.grantType !== 'refresh_token';
      const device = { ...(isSignIn ? body : { appVersion: body.appVersion }), ...userAgentOf(isSignIn, headers) };
      const note = (userId: string) =>
        noteDevice(place, userId, device, (name) => {
          const to = { userId };
          return mailTo(queues.MailQueue, {
            kind: 'new-device',
            application,
            to,
            locale: null,
            data: { device: name },
          });
        });
      const tokens = await handOut(place, said.tokens, {
        said: device,
        presented: body.grantType === 'refresh_token' ? body.refreshToken : null,
        before: isSignIn ? note : null,
      });
      return tokens ?? fail(InvalidGrant);
    }
    case 'totp':
      return fail(TotpRequired, { session: sessionOf(said.pending) });
    case 'totp-setup': {
      const begun = await beginSetUp(cognito(), said.pending);
      if (begun.outcome !== 'secret') return fail(InvalidGrant);
      return fail(TotpSetupRequired, { session: sessionOf(begun.pending), secret: begun.secret });
    }
    case 'challenge':
      return fail(ChallengeRequired, { challenge: said.challenge });
    case 'wrong-code':
      return fail(TotpInvalid);
    case 'locked':
      return fail(SignInLocked, { lockedUntil: said.lockedUntil });
    case 'refused':
      return body.grantType === 'password' ? fail(InvalidCredentials) : fail(InvalidGrant);
  }
});

/** A renewal leaves the device's name as it was. */
function userAgentOf(isSignIn: boolean, headers: { readonly 'user-agent'?: string | undefined }) {
  return isSignIn ? { userAgent: headers['user-agent']?.slice(0, 512) } : {};
}
