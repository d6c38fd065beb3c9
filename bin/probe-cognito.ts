import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteSoftwareTokenCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
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
  GetUserCommand,
  RespondToAuthChallengeCommand,
  RevokeTokenCommand,
  UsernameExistsException,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { codeAt, stepAt } from '../lib/local/index.ts';
import { outcomeOf, publicAnswers } from './probe-public.ts';
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
/** A role of the application for staff. */
const group = 'physician';

/** An authenticator app that makes each code only once. */
type App = { readonly secret: string; lastStep: number };

type Challenge = Pick<AdminInitiateAuthCommandOutput, 'ChallengeName' | 'ChallengeParameters' | 'Session'>;

export function probedCognito(
  UserPoolId: string,
  { ClientId, ownAccountClientId }: { ClientId: string; ownAccountClientId: string },
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
    await setUp.send(new AdminAddUserToGroupCommand({ UserPoolId, Username: email, GroupName: group }));
    isMade = true;
  }

  async function signIn(username: string, client = ClientId): Promise<AdminInitiateAuthCommandOutput> {
    await makeUser();
    return enter(username, password, client);
  }

  function enter(USERNAME: string, PASSWORD: string, client = ClientId) {
    const flow = { UserPoolId, ClientId: client, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' } as const;
    return measured.send(new AdminInitiateAuthCommand({ ...flow, AuthParameters: { USERNAME, PASSWORD } }));
  }

  async function nextCode(of: App): Promise<string> {
    while (stepAt(now()) <= of.lastStep) await sleep(1000);
    of.lastStep = stepAt(now());
    return codeAt(of.secret, of.lastStep);
  }

  function respond({ ChallengeName, ChallengeParameters, Session }: Challenge, code?: string, client = ClientId) {
    return measured.send(
      new AdminRespondToAuthChallengeCommand({
        UserPoolId,
        ClientId: client,
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
  async function signedIn(client = ClientId): Promise<AuthenticationResultType> {
    const asked = await signIn(email, client);
    const { AuthenticationResult } = asked.ChallengeName === undefined ? asked : await passed(asked, client);
    if (!AuthenticationResult) throw new Error(`the sign-in ends with ${asked.ChallengeName}`);
    return AuthenticationResult;
  }

  async function passed(asked: Challenge, client: string) {
    if (asked.ChallengeName === 'SOFTWARE_TOKEN_MFA' && app) return respond(asked, await nextCode(app), client);
    if (asked.ChallengeName !== 'MFA_SETUP') throw new Error(`no answer to the challenge ${asked.ChallengeName}`);
    const { Session } = await enrol({ Session: asked.Session });
    return respond({ ...asked, Session }, undefined, client);
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
    const { AccessToken } = await signedIn(ownAccountClientId);
    if (!app) {
      await enrol({ AccessToken });
      const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
      await setUp.send(new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username: email, SoftwareTokenMfaSettings }));
    }
    if (!app) throw new Error('no authenticator app');
    return app;
  }

  const renew = (RefreshToken: string | undefined, ClientMetadata: Record<string, string> = {}) =>
    measured.send(new GetTokensFromRefreshTokenCommand({ ClientId, RefreshToken, ClientMetadata }));

  const look = (AccessToken: string | undefined) =>
    outcomeOf(measured.send(new GetUserCommand({ AccessToken })).then(() => 'answered'));

  return {
    async writeAttributes() {
      const { UserPoolClient } = await setUp.send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId }));
      return UserPoolClient?.WriteAttributes ?? [];
    },
    signIn: (username) => outcomeOf(signIn(username).then(({ ChallengeName }) => ChallengeName ?? 'signed in')),
    async renew() {
      const { RefreshToken } = await signedIn();
      const outcome = () =>
        outcomeOf(
          renew(RefreshToken).then(({ AuthenticationResult: { RefreshToken: next = RefreshToken } = {} }) =>
            next === RefreshToken ? 'the token stays' : 'rotated',
          ),
        );
      return [await outcome(), await outcome()];
    },
    revokeText: () =>
      outcomeOf(measured.send(new RevokeTokenCommand({ ClientId, Token: 'no-token' })).then(() => 'done')),
    async renewAfterRevoking() {
      const { RefreshToken: Token } = await signedIn();
      const revoke = () => measured.send(new RevokeTokenCommand({ ClientId, Token }));
      await revoke();
      return {
        renewal: await outcomeOf(renew(Token).then(() => 'renewed')),
        again: await outcomeOf(revoke().then(() => 'done')),
      };
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
    async windowOfCodes() {
      const used = await withApp();
      // Two steps back no code was used.
      for (let steps = 0; steps < 3; steps += 1) await nextCode(used);
      const base = used.lastStep;
      const taken: number[] = [];
      for (const ahead of [-2, -1, 0, 1, 2]) {
        const outcome = await outcomeOf(
          respond(await signIn(email), codeAt(used.secret, base + ahead)).then(() => 'signed in'),
        );
        if (outcome === 'signed in') taken.push(ahead);
        else if (!/^(CodeMismatch|ExpiredCode|NotAuthorized)Exception$/.test(outcome)) throw new Error(outcome);
      }
      used.lastStep = base + 2;
      return taken;
    },
    async disabledUser() {
      await makeUser();
      await setUp.send(new AdminDisableUserCommand({ UserPoolId, Username: email }));
      const says = (typed: string) =>
        enter(email, typed).then(
          ({ ChallengeName }) => ChallengeName ?? 'signed in',
          (error: Error) => error.message,
        );
      const found = [await says(password), await says(`${password}x`)];
      await setUp.send(new AdminEnableUserCommand({ UserPoolId, Username: email }));
      return found;
    },
    async temporaryPassword() {
      const user = { UserPoolId, Username: `new-${email}` };
      const TemporaryPassword = `${randomBytes(24).toString('base64url')}aA1!`;
      await setUp.send(new AdminCreateUserCommand({ ...user, TemporaryPassword, MessageAction: 'SUPPRESS' }));
      const found = enter(user.Username, TemporaryPassword).then(({ ChallengeName }) => ChallengeName ?? 'signed in');
      const outcome = await outcomeOf(found);
      await setUp.send(new AdminDeleteUserCommand(user));
      return outcome;
    },
    async scopes() {
      const handedOut = (await signedIn()).AccessToken;
      const renewed = (await renew((await signedIn()).RefreshToken)).AuthenticationResult?.AccessToken;
      const kept = (await signedIn(ownAccountClientId)).AccessToken;
      return {
        scopes: [handedOut, renewed, kept].map((token) => payloadOf(token).scope ?? null),
        groups: payloadOf(handedOut)['cognito:groups'] ?? [],
        looks: [await look(handedOut), await look(renewed), await look(kept)],
      };
    },
    async failingTrigger() {
      const { RefreshToken } = await signedIn();
      const failed = await outcomeOf(renew(RefreshToken, { probe: 'fail' }).then(() => 'renewed'));
      return [failed, await outcomeOf(renew(RefreshToken).then(() => 'renewed'))];
    },
    async appOfTwoTokens() {
      const shown = await signedIn(ownAccountClientId);
      const { SecretCode = '' } = await setUp.send(
        new AssociateSoftwareTokenCommand({ AccessToken: shown.AccessToken }),
      );
      const Token = shown.RefreshToken;
      await setUp.send(new RevokeTokenCommand({ ClientId: ownAccountClientId, Token }));
      // Where the account has an app, this sign-in still asks for that one's code.
      const { AccessToken } = await signedIn(ownAccountClientId);
      const next: App = { secret: SecretCode, lastStep: 0 };
      const verifying = new VerifySoftwareTokenCommand({ AccessToken, UserCode: await nextCode(next) });
      const found = await outcomeOf(measured.send(verifying).then(({ Status }) => Status ?? 'no status'));
      if (found === 'SUCCESS' && app) app = next;
      return found;
    },
    async publicAnswerToAdminChallenge() {
      const used = await withApp();
      const { ChallengeName, ChallengeParameters, Session } = await signIn(email);
      const command = new RespondToAuthChallengeCommand({
        ClientId,
        Session,
        ChallengeName,
        ChallengeResponses: {
          USERNAME: ChallengeParameters?.USER_ID_FOR_SRP ?? email,
          SOFTWARE_TOKEN_MFA_CODE: await nextCode(used),
        },
      });
      return outcomeOf(measured.send(command).then(() => 'signed in'));
    },
    async publicOperations() {
      const { RefreshToken: refreshToken = '' } = await signedIn();
      return publicAnswers(measured, { UserPoolId, ClientId, email, password, refreshToken });
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

/** What an access token says; nobody checks it. */
function payloadOf(token: string | undefined): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString() || '{}');
}
