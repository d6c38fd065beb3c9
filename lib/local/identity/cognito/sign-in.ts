import type { UserPoolClientModel, UserPoolModel } from '../../model.ts';
import {
  type Cognito,
  clientIn,
  clientOf,
  type Input,
  type Operation,
  type PoolContext,
  parameter,
  poolIn,
  text,
} from './call.ts';
import { findUser, type User } from './directory.ts';
import { failure, invalid, notAuthorized } from './failures.ts';
import { assertFits, hashed, isPassword } from './passwords.ts';
import { issueRefreshToken, revokeRefreshToken, spendRefreshToken } from './refresh-tokens.ts';
import { useCode } from './software-token.ts';
import { grantsOf, type TriggerCall } from './token-trigger.ts';

/** Sign-in, its challenges, and token renewal. Only Cognito's identity token is missing. */

export const signIn: Readonly<Record<string, Operation>> = {
  async AdminInitiateAuth(cognito, input) {
    const context = poolIn(cognito, input);
    const client = clientOf(context.pool, text(input, 'ClientId'));
    const flow = text(input, 'AuthFlow').replace('ADMIN_NO_SRP_AUTH', 'ADMIN_USER_PASSWORD_AUTH');
    if (flow !== 'ADMIN_USER_PASSWORD_AUTH') throw invalid(`${flow} does not run on this machine`);
    if (!client.authFlows.includes(`ALLOW_${flow}`)) throw invalid('Auth flow not enabled for this client');

    const user = findUser(context.data, parameter(input, 'AuthParameters', 'USERNAME'));
    const isRight = await isPassword(parameter(input, 'AuthParameters', 'PASSWORD'), user?.passwordHash ?? null);
    if (!user && !client.preventsExistenceErrors) throw failure('UserNotFoundException', 'User does not exist.');
    if (!user || !isRight) throw notAuthorized('Incorrect username or password.');
    if (!user.isEnabled) throw notAuthorized('User is disabled.');
    assertNotExpired(user, context, cognito.now());
    return goOn(cognito, context, user, client);
  },

  async AdminRespondToAuthChallenge(cognito, input) {
    const context = poolIn(cognito, input);
    const client = clientOf(context.pool, text(input, 'ClientId'));
    const challenge = text(input, 'ChallengeName');
    // "The user's actual username, not an alias": here an e-mail address matches no user.
    const username = parameter(input, 'ChallengeResponses', 'USERNAME');
    const user = [...context.data.users.values()].find((each) => each.username === username);
    const session = text(input, 'Session', { minimum: 20 });
    const pending = cognito.sessions.read(session);
    const isTheirs = pending.sub === user?.sub && pending.clientId === client.id && pending.challenge === challenge;
    if (!user || !isTheirs) throw notAuthorized('Invalid session for the user.');
    if (!user.isEnabled) throw notAuthorized('User is disabled.');
    if (challenge === 'NEW_PASSWORD_REQUIRED') {
      const password = parameter(input, 'ChallengeResponses', 'NEW_PASSWORD');
      assertFits(password, context.pool.passwordPolicy);
      cognito.sessions.end(session);
      Object.assign(user, { passwordHash: await hashed(password), status: 'CONFIRMED', modifiedAt: cognito.now() });
      cognito.directory.save(context.pool.id);
      return goOn(cognito, context, user, client);
    }
    if (challenge === 'SOFTWARE_TOKEN_MFA') {
      // The session survives a wrong code, so the user can try another one.
      useCode(user, parameter(input, 'ChallengeResponses', 'SOFTWARE_TOKEN_MFA_CODE'), cognito.now());
    } else if (!pending.isProved) {
      throw notAuthorized('Invalid session for the user.');
    }
    cognito.sessions.end(session);
    return signedIn(cognito, context, user, client.id, input.ClientMetadata);
  },

  async GetTokensFromRefreshToken(cognito, input) {
    const { pool, data, client } = clientIn(cognito, input);
    const token = refreshToken(input, 'RefreshToken');
    const { stored, next } = spendRefreshToken(data, token, client, cognito.now());
    const user = data.users.get(stored.sub);
    if (!user) throw notAuthorized('Invalid Refresh Token.');
    if (!user.isEnabled) throw notAuthorized('User is disabled.');
    cognito.directory.save(pool.id);
    const call = { source: 'TokenGeneration_RefreshTokens', metadata: input.ClientMetadata } as const;
    const access = await accessOf(cognito, pool, user, stored, call);
    return { AuthenticationResult: { ...access, ...(next && { RefreshToken: next }) } };
  },

  async RevokeToken(cognito, input) {
    const { pool, data, client } = clientIn(cognito, input);
    const token = refreshToken(input, 'Token');
    if (token.split('.').length === 3) throw failure('UnsupportedTokenTypeException', 'Unsupported token type');
    if (!client.revokesTokens) {
      throw failure('UnsupportedOperationException', 'Token revocation is not enabled for this client');
    }
    revokeRefreshToken(data, token, client);
    cognito.directory.save(pool.id);
    return {};
  },
};

/** Tokens, or what is still to come before them. */
function goOn(
  cognito: Cognito,
  context: PoolContext,
  user: User,
  client: UserPoolClientModel,
): object | Promise<object> {
  const challenge = challengeOf(context, user);
  if (!challenge) return signedIn(cognito, context, user, client.id);
  const Session = cognito.sessions.begin({
    poolId: context.pool.id,
    clientId: client.id,
    sub: user.sub,
    challenge: challenge.ChallengeName,
    expiresAt: cognito.now() + client.sessionSeconds * 1000,
  });
  const { ChallengeName, ...more } = challenge;
  return { ChallengeName, Session, ChallengeParameters: { USER_ID_FOR_SRP: user.username, ...more } };
}

/** A temporary password is valid for some days, and then an administrator has to set another one. */
function assertNotExpired({ status, modifiedAt }: User, { pool }: PoolContext, now: number): void {
  const until = modifiedAt + pool.passwordPolicy.temporaryDays * 86_400_000;
  if (status !== 'FORCE_CHANGE_PASSWORD' || now < until) return;
  throw notAuthorized('Temporary password has expired and must be reset by an administrator.');
}

function challengeOf({ pool }: PoolContext, user: User) {
  if (user.status === 'FORCE_CHANGE_PASSWORD') {
    const userAttributes = JSON.stringify(user.attributes);
    return { ChallengeName: 'NEW_PASSWORD_REQUIRED', requiredAttributes: '[]', userAttributes };
  }
  if (pool.secondFactor === 'OFF') return null;
  if (pool.secondFactor === 'OPTIONAL' && !(user.wantsTotp && user.totp)) return null;
  return user.totp
    ? { ChallengeName: 'SOFTWARE_TOKEN_MFA' }
    : { ChallengeName: 'MFA_SETUP', MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' };
}

async function signedIn(
  cognito: Cognito,
  { pool, data }: PoolContext,
  user: User,
  clientId: string,
  metadata?: unknown,
): Promise<object> {
  const { token, stored } = issueRefreshToken(data, user, clientOf(pool, clientId), cognito.now());
  cognito.directory.save(pool.id);
  const call = { source: 'TokenGeneration_Authentication', metadata } as const;
  const AuthenticationResult = { ...(await accessOf(cognito, pool, user, stored, call)), RefreshToken: token };
  return { AuthenticationResult, ChallengeParameters: {} };
}

function refreshToken(input: Input, name: string): string {
  const token = text(input, name);
  if (/^[A-Za-z0-9\-_=.]+$/.test(token)) return token;
  throw invalid(
    `1 validation error detected: Value at '${name.charAt(0).toLowerCase()}${name.slice(1)}' failed to satisfy ` +
      'constraint: Member must satisfy regular expression pattern: [A-Za-z0-9-_=.]+',
  );
}

type Origin = { readonly origin: string; readonly clientId: string; readonly signedInAt: number };

async function accessOf(
  cognito: Cognito,
  pool: UserPoolModel,
  user: User,
  { origin, clientId, signedInAt }: Origin,
  call: TriggerCall,
) {
  const { accessSeconds } = clientOf(pool, clientId);
  const { groups, scopes } = await grantsOf(cognito, pool, user, clientId, call);
  const issuedAt = Math.floor(cognito.now() / 1000);
  const AccessToken = await cognito.sign(pool.id, {
    sub: user.sub,
    clientId,
    username: user.username,
    groups,
    scopes,
    issuedAt,
    expiresAt: issuedAt + accessSeconds,
    signedInAt: Math.floor(signedInAt / 1000),
    origin,
  });
  return { AccessToken, ExpiresIn: accessSeconds, TokenType: 'Bearer' };
}
