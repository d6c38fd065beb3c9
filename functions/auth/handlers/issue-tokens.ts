import { cognito, cognitoOnce } from '../../../lib/runtime/cognito.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { mailTo } from '../../mail/exports.ts';
import {
  AccountDisabled,
  ChallengeRequired,
  InvalidCredentials,
  InvalidGrant,
  SignInLocked,
  TotpInvalid,
  TotpRequired,
  TotpSetupRequired,
} from '../errors.ts';
import { issueTokens } from '../routes.ts';
import { nameOf } from '../rules/device.ts';
import type { Pending } from '../rules/session.ts';
import { newPasswordRequired } from '../rules/sign-in.ts';
import { logged } from '../stores/sign-in-log.ts';
import { begunAt, codeCounted, forgetSealedTries, sealedBeginning, tryCounted } from '../stores/sign-in-tries.ts';
import { keepSignIn } from '../stores/sign-ins.ts';
import { tellingOfCodes } from '../stores/tell-of-codes.ts';
import { beginSetUp, finishSetUp, revoke, sendCode, signIn } from '../stores/user-pool.ts';
import { openedSession, sealedSession } from '../stores/waiting-sign-ins.ts';
import { type Previous, previousSession } from '../workflows/previous-session.ts';
import { registerSessionTokens } from '../workflows/register-session-tokens.ts';
import { renewToken } from '../workflows/renew-session.ts';

export const handler = serve(issueTokens)(async (input) => {
  const { body, headers, application, requestId, tables, secrets, queues, userPool, sourceIp, count, fail } = input;
  const now = new Date();
  const secret = secrets.SignInKey;
  const deps = { tables, secret, application, cognito: cognito(), userPool };
  const counted = { table: tables.SignInTries, secret, application, sourceIp };
  if (body.grantType === 'refresh_token') {
    const renewed = await renewToken({ ...deps, mailQueue: queues.MailQueue }, body.refreshToken, body.appVersion);
    if (renewed.outcome === 'tokens') return renewed.tokens;
    if (renewed.isNews) count('refreshTokenReused');
    return fail(InvalidGrant, renewed.reason && { reason: renewed.reason });
  }
  const begun = body.grantType === 'password' ? now : begunAt(secret, openedSession(deps, body.session), now);
  const attempt = { write: lambda.write, secret, application, requestId };
  const said = await (async () => {
    switch (body.grantType) {
      case 'password':
        return logged({ ...attempt, factor: 'password', username: body.username }, () =>
          tryCounted({ ...counted, username: body.username }, () => signIn(cognito(), userPool, body)),
        );
      case 'totp':
      case 'totp_setup': {
        const pending = openedSession(deps, body.session);
        const tried = { ...attempt, factor: body.grantType, username: pending?.username ?? null };
        if (!pending) return logged(tried, async () => ({ outcome: 'refused' as const }));
        const send = body.grantType === 'totp' ? sendCode : finishSetUp;
        const once = () => send(cognitoOnce(), userPool, { pending, code: body.code });
        const mine = { ...counted, username: pending.username };
        const tell = tellingOfCodes(queues.MailQueue, application, pending.username);
        const answer = await logged(tried, () => tryCounted(mine, () => codeCounted(mine, once, tell)));
        if (answer.outcome === 'tokens') await forgetSealedTries(counted, pending);
        return answer;
      }
    }
  })();
  const sessionOf = (pending: Pending) => {
    if (body.grantType !== 'password') return sealedSession(deps, pending);
    const beginning = sealedBeginning({ ...counted, username: body.username }, pending, begun);
    return sealedSession(deps, { ...pending, beginning });
  };

  if (refusals.includes(said.outcome)) count('signInRefused');
  if (said.outcome === 'locked') count('signInLocked');

  switch (said.outcome) {
    case 'tokens': {
      const device = { ...body, userAgent: headers['user-agent']?.slice(0, 512) };
      const renewing = { ...deps, mailQueue: queues.MailQueue };
      let previous: Previous | undefined;
      const before = async (userId: string) => {
        previous = await previousSession(renewing, userId, body.previousRefreshToken);
        const isNewDevice = !previous.isKnown;
        const at = new Date();
        const data = { device: nameOf(device) ?? '–', at: at.toISOString() };
        const mail = { kind: 'new-device', application, to: { userId }, locale: null, data } as const;
        const signedIn = { userId, application, isNewDevice, sourceIp, now: at };
        // First: what the list shows as new had its mail.
        if (isNewDevice) await mailTo(queues.MailQueue, mail);
        await keepSignIn(tables.SignIns, signedIn).catch((error) => count('signInNotKept', error));
      };
      const then = async () => {
        if ((await previous?.end())?.isReuse) count('refreshTokenReused');
      };
      const isStillRight = async () => {
        // Nobody can say whether the password of a code is still right: it was when the sign-in began, but for the clocks.
        if (body.grantType !== 'password') return true;
        const again = await signIn(cognito(), userPool, body);
        if (again.outcome === 'tokens') await revoke(cognito(), userPool, again.tokens.refreshToken);
        return again.outcome === 'tokens';
      };
      const tokens = await registerSessionTokens(deps, said.tokens, {
        said: device,
        begun,
        isStillRight,
        before,
        then,
      });
      return tokens ?? fail(InvalidGrant, { reason: 'ended' });
    }
    case 'totp':
      return fail(TotpRequired, { session: sessionOf(said.pending) });
    case 'totp-setup': {
      const setUp = await beginSetUp(cognito(), said.pending);
      if (setUp.outcome !== 'secret') return fail(InvalidGrant, null);
      return fail(TotpSetupRequired, { session: sessionOf(setUp.pending), secret: setUp.secret });
    }
    case 'new-password':
      return fail(ChallengeRequired, { challenge: newPasswordRequired });
    case 'challenge':
      return fail(ChallengeRequired, { challenge: said.challenge });
    case 'wrong-code':
      return fail(TotpInvalid);
    case 'locked':
      return fail(SignInLocked, { lockedUntil: said.lockedUntil });
    case 'disabled':
      return fail(AccountDisabled);
    case 'refused':
      return body.grantType === 'password' ? fail(InvalidCredentials) : fail(InvalidGrant, null);
  }
});

/** What the alarm on refused sign-ins counts. */
const refusals: readonly string[] = ['refused', 'wrong-code', 'disabled'];
