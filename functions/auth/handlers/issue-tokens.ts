import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { serveWithoutTables } from '../../../lib/runtime/serve-without-tables.ts';
import {
  ChallengeRequired,
  InvalidCredentials,
  InvalidGrant,
  TotpInvalid,
  TotpRequired,
  TotpSetupRequired,
} from '../errors.ts';
import { issueTokens } from '../routes.ts';
import { packed, unpacked } from '../rules/session.ts';
import { beginSetUp, finishSetUp, renew, sendCode, signIn } from '../stores/user-pool.ts';

export const handler = serveWithoutTables(issueTokens)(async ({ body, userPool, fail }) => {
  const said = await (() => {
    switch (body.grantType) {
      case 'password':
        return signIn(cognito(), userPool, body);
      case 'refresh_token':
        return renew(cognito(), userPool, body.refreshToken);
      case 'totp':
      case 'totp_setup': {
        const pending = unpacked(body.session);
        if (!pending) return { outcome: 'refused' as const };
        const send = body.grantType === 'totp' ? sendCode : finishSetUp;
        return send(cognitoOnce(), userPool, { pending, code: body.code });
      }
    }
  })();

  switch (said.outcome) {
    case 'tokens':
      return said.tokens;
    case 'totp':
      return fail(TotpRequired, { session: packed(said.pending) });
    case 'totp-setup': {
      const begun = await beginSetUp(cognito(), said.pending);
      if (begun.outcome !== 'secret') return fail(InvalidGrant);
      return fail(TotpSetupRequired, { session: packed(begun.pending), secret: begun.secret });
    }
    case 'challenge':
      return fail(ChallengeRequired, { challenge: said.challenge });
    case 'wrong-code':
      return fail(TotpInvalid);
    case 'refused':
      return body.grantType === 'password' ? fail(InvalidCredentials) : fail(InvalidGrant);
  }
});
