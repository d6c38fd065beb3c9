import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AdminCreateUserCommand,
  AdminDeleteSoftwareTokenCommand,
  AdminInitiateAuthCommand,
  type AdminInitiateAuthCommandOutput,
  AdminRespondToAuthChallengeCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AssociateSoftwareTokenCommand,
  type AuthenticationResultType,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  GetTokensFromRefreshTokenCommand,
  RevokeTokenCommand,
  UsernameExistsException,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { codeAt, stepAt } from '../lib/local/index.ts';
import type { Probed } from './probed.ts';

/** Sign-ins at the probe's user pool by a user whose password nobody knows, also with a second factor that the pool requires. */

export type CognitoMeans = {
  readonly setUp: CognitoIdentityProviderClient;
  /** Each call is tried once: a repeated call would use a token, a code or a session twice, and hide a refusal. */
  readonly measured: CognitoIdentityProviderClient;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
};

const timeouts = { connectionTimeout: 3000, requestTimeout: 20_000 };

function meansOfTheShell(): CognitoMeans {
  const client = (maxAttempts: number) => new CognitoIdentityProviderClient({ maxAttempts, requestHandler: timeouts });
  return { setUp: client(5), measured: client(1), now: Date.now, sleep };
}

const email = 'probe@example.com';

/** An authenticator app that makes each code only once. */
type App = { readonly secret: string; lastStep: number };

type Challenge = Pick<AdminInitiateAuthCommandOutput, 'ChallengeName' | 'ChallengeParameters' | 'Session'>;

export function probedCognito(
  UserPoolId: string,
  ClientId: string,
  { setUp, measured, now, sleep }: CognitoMeans = meansOfTheShell(),
): Probed['cognito'] {
  const password = `${randomBytes(24).toString('base64url')}aA1!`;
  let isMade = false;
  let app: App | null = null;

  async function makeUser(): Promise<void> {
    if (isMade) return;
    await setUp
      .send(new AdminCreateUserCommand({ UserPoolId, Username: email, MessageAction: 'SUPPRESS' }))
      .catch((error: unknown) => {
        if (!(error instanceof UsernameExistsException)) throw error;
      });
    await setUp.send(
      new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password: password, Permanent: true }),
    );
    isMade = true;
  }

  async function signIn(username: string): Promise<AdminInitiateAuthCommandOutput> {
    await makeUser();
    return measured.send(
      new AdminInitiateAuthCommand({
        UserPoolId,
        ClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: username, PASSWORD: password },
      }),
    );
  }

  async function nextCode(of: App): Promise<string> {
    while (stepAt(now()) <= of.lastStep) await sleep(1000);
    of.lastStep = stepAt(now());
    return codeAt(of.secret, of.lastStep);
  }

  function respond({ ChallengeName, ChallengeParameters, Session }: Challenge, code?: string) {
    return measured.send(
      new AdminRespondToAuthChallengeCommand({
        UserPoolId,
        ClientId,
        Session,
        ChallengeName,
        // The user's real name in the pool, not an alias.
        ChallengeResponses: {
          USERNAME: ChallengeParameters?.USER_ID_FOR_SRP ?? email,
          ...(code && { SOFTWARE_TOKEN_MFA_CODE: code }),
        },
      }),
    );
  }

  /** Answers the challenge of the second factor. */
  async function signedIn(): Promise<AuthenticationResultType> {
    const asked = await signIn(email);
    const { AuthenticationResult } = asked.ChallengeName === undefined ? asked : await passed(asked);
    if (!AuthenticationResult) throw new Error(`the sign-in ends with ${asked.ChallengeName}`);
    return AuthenticationResult;
  }

  async function passed(asked: Challenge) {
    if (asked.ChallengeName === 'SOFTWARE_TOKEN_MFA' && app) return respond(asked, await nextCode(app));
    if (asked.ChallengeName !== 'MFA_SETUP') throw new Error(`no answer to the challenge ${asked.ChallengeName}`);
    const { Session } = await enrol({ Session: asked.Session });
    return respond({ ...asked, Session });
  }

  /** @param by the session of a sign-in, or a signed-in user's access token */
  async function enrol(by: { Session?: string; AccessToken?: string }) {
    const { SecretCode = '', Session } = await setUp.send(new AssociateSoftwareTokenCommand(by));
    app = { secret: SecretCode, lastStep: 0 };
    const UserCode = await nextCode(app);
    return measured.send(new VerifySoftwareTokenCommand({ ...by, ...(Session && { Session }), UserCode }));
  }

  /** Makes a user who must enter a code at the next sign-in. */
  async function withApp(): Promise<App> {
    const { AccessToken } = await signedIn();
    if (!app) {
      await enrol({ AccessToken });
      const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
      await setUp.send(new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username: email, SoftwareTokenMfaSettings }));
    }
    if (!app) throw new Error('no authenticator app');
    return app;
  }

  const renew = (RefreshToken: string | undefined) =>
    measured.send(new GetTokensFromRefreshTokenCommand({ ClientId, RefreshToken }));

  return {
    async writeAttributes() {
      const { UserPoolClient } = await setUp.send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId }));
      return UserPoolClient?.WriteAttributes ?? [];
    },
    signIn: (username) => outcomeOf(signIn(username).then(({ ChallengeName }) => ChallengeName ?? 'signed in')),
    async renew() {
      const { RefreshToken } = await signedIn();
      return [
        await outcomeOf(
          renew(RefreshToken).then(({ AuthenticationResult: got }) => (got?.RefreshToken ? 'rotated' : 'not rotated')),
        ),
        await outcomeOf(renew(RefreshToken).then(() => 'renewed again within the grace')),
      ];
    },
    revokeText: () =>
      outcomeOf(measured.send(new RevokeTokenCommand({ ClientId, Token: 'no-token' })).then(() => 'done')),
    async renewAfterRevoking(which) {
      const old = (await signedIn()).RefreshToken;
      const next = (await renew(old)).AuthenticationResult?.RefreshToken;
      if (!next) return { old: 'not rotated', new: 'not rotated' };
      await measured.send(new RevokeTokenCommand({ ClientId, Token: which === 'old' ? old : next }));
      const renewed = (token: string | undefined) => outcomeOf(renew(token).then(() => 'renewed'));
      return { old: await renewed(old), new: await renewed(next) };
    },
    async rightCodeAfterWrong() {
      const used = await withApp();
      const asked = await signIn(email);
      if (asked.ChallengeName !== 'SOFTWARE_TOKEN_MFA') return `no code is asked for: ${asked.ChallengeName}`;
      const right = await nextCode(used);
      const wrong = right === '000000' ? '000001' : '000000';
      const first = await outcomeOf(respond(asked, wrong).then(() => 'signed in'));
      if (first === 'signed in') return 'WrongCodeTakenException';
      return outcomeOf(respond(asked, right).then(() => 'signed in'));
    },
    async deleteApp() {
      await withApp();
      const erase = () =>
        outcomeOf(
          measured.send(new AdminDeleteSoftwareTokenCommand({ UserPoolId, Username: email })).then(() => 'deleted'),
        );
      const found = [await erase(), await erase()];
      app = null;
      return [...found, await outcomeOf(signIn(email).then(({ ChallengeName }) => ChallengeName ?? 'signed in'))];
    },
  };
}

function outcomeOf(asked: Promise<string>): Promise<string> {
  return asked.catch((error: unknown) => (error instanceof Error ? error.name : String(error)));
}
