import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { UserPoolClientModel } from '../../model.ts';
import type { PoolData, RefreshToken, User } from './directory.ts';
import { failure, notAuthorized } from './failures.ts';

/** Refresh tokens and their rotation: https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-refresh-token.html */

const header = Buffer.from('{"cty":"JWT","enc":"A256GCM","alg":"RSA-OAEP"}').toString('base64url');

/** Issues the first refresh token of a sign-in. */
export function issueRefreshToken(data: PoolData, { sub }: User, client: UserPoolClientModel, now: number) {
  return store(data, {
    origin: randomUUID(),
    sub,
    clientId: client.id,
    signedInAt: now,
    expiresAt: now + client.refreshSeconds * 1000,
    replacedAt: null,
  });
}

/**
 * @returns the stored token and its successor; the successor is null if the client does not rotate tokens
 * @throws NotAuthorizedException or, for a token that was replaced, RefreshTokenReuseException
 */
export function spendRefreshToken(data: PoolData, token: string, client: UserPoolClientModel, now: number) {
  const stored = data.refreshTokens.get(hashOf(token));
  const { rotationGraceSeconds: grace } = client;
  if (stored?.clientId !== client.id) throw notAuthorized('Invalid Refresh Token.');
  if (stored.expiresAt <= now) throw notAuthorized('Refresh Token has expired');
  const isReplaced = stored.replacedAt !== null && now >= stored.replacedAt + (grace ?? 0) * 1000;
  if (isReplaced) throw failure('RefreshTokenReuseException', 'Refresh token has been replaced.');
  if (grace === null) return { stored, next: null };
  stored.replacedAt ??= now;
  // "The new refresh token is valid for the remaining duration of the original refresh token."
  return { stored, next: store(data, { ...stored, replacedAt: null }).token };
}

/** Ends the sign-in that the token comes from. An unknown token is no error. */
export function revokeRefreshToken(data: PoolData, token: string, client: UserPoolClientModel): void {
  const stored = data.refreshTokens.get(hashOf(token));
  if (stored?.clientId === client.id) forget(data, ({ origin }) => origin === stored.origin);
}

export function revokeAll(data: PoolData, user: User): void {
  forget(data, ({ sub }) => sub === user.sub);
}

function forget({ refreshTokens, ended }: PoolData, isMeant: (token: RefreshToken) => boolean): void {
  for (const [hash, token] of refreshTokens) {
    if (!isMeant(token)) continue;
    refreshTokens.delete(hash);
    // This also ends its access tokens: Cognito's own operations no longer accept them.
    ended.set(token.origin, token.expiresAt);
  }
}

/** The token has five parts, like an encrypted token. Only the pool can read one of Cognito's tokens, too. */
function store({ refreshTokens }: PoolData, stored: RefreshToken) {
  const part = (bytes: number) => randomBytes(bytes).toString('base64url');
  const token = [header, part(256), part(12), part(700), part(16)].join('.');
  refreshTokens.set(hashOf(token), stored);
  return { token, stored };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
