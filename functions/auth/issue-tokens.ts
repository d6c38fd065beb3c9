import { cognito } from '../../lib/runtime/cognito.ts';
import { serveTimeless } from '../../lib/runtime/serve-timeless.ts';
import { issueTokens } from './routes.ts';
import { beginSetUp, finishSetUp, renew, sendCode, signIn } from './user-pool-store.ts';

export const handler = serveTimeless(issueTokens)(async ({ body, userPool, fail }) => {
  const said = await (() => {
    switch (body.grantType) {
      case 'password':
        return signIn(cognito(), userPool, body);
      case 'refresh_token':
        return renew(cognito(), userPool, body.refreshToken);
      case 'totp':
        return sendCode(cognito(), userPool, body);
      case 'totp_setup':
        return finishSetUp(cognito(), userPool, body);
    }
  })();

  switch (said.outcome) {
    case 'tokens':
      return said.tokens;
    case 'totp':
      return fail('TOTP_REQUIRED', { session: said.session });
    case 'totp-setup': {
      const begun = await beginSetUp(cognito(), said.session);
      if (begun.outcome !== 'secret') return fail('UNAUTHENTICATED');
      return fail('TOTP_SETUP_REQUIRED', { session: begun.session, secret: begun.secret });
    }
    case 'challenge':
      return fail('CHALLENGE_REQUIRED', { challenge: said.challenge });
    case 'wrong-code':
      return fail('TOTP_INVALID');
    case 'refused':
      return fail('UNAUTHENTICATED');
  }
});
