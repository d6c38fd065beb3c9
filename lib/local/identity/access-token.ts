import { createHash, createPublicKey, randomUUID, sign, verify } from 'node:crypto';
import type { SigningKey } from './keys.ts';

export type Claims = {
  readonly sub: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** When the session began, and its id, if this is not its first token. */
  readonly signedInAt?: number;
  readonly origin?: string;
};

/**
 * An access token as Cognito makes it after a sign-in with the pool's own API:
 * https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function accessToken(claims: Claims, key: SigningKey): string {
  const { sub, issuer, clientId, username, groups, scopes, issuedAt, expiresAt } = claims;
  const { signedInAt = issuedAt, origin = randomUUID() } = claims;
  const payload = {
    sub,
    // Cognito leaves the claim out for a user in no group.
    ...(groups.length > 0 && { 'cognito:groups': groups }),
    iss: issuer,
    client_id: clientId,
    origin_jti: origin,
    event_id: randomUUID(),
    token_use: 'access',
    // AWS does not document what is left of the claim once all scopes are suppressed.
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    auth_time: signedInAt,
    exp: expiresAt,
    iat: issuedAt,
    jti: randomUUID(),
    username,
  };
  const signed = `${encoded({ kid: key.kid, alg: 'RS256' })}.${encoded(payload)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

/** The scope of Cognito's own operations, which every token has that no trigger took it from. */
export const selfService = 'aws.cognito.signin.user.admin';

export type Owner = { readonly sub: string; readonly origin: string; readonly scopes: readonly string[] };

/**
 * The user, the sign-in and the scopes of a token that this key signed and that has not expired; null for any other text.
 *
 * @param now seconds since 1970
 */
export function ownerIn(token: string, key: SigningKey, now: number): Owner | null {
  const [header, payload = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, createPublicKey(key.privateKey), Buffer.from(signature, 'base64url'))) return null;
  type Payload = { sub: string; origin_jti: string; exp: number; scope?: string };
  const {
    sub,
    origin_jti: origin,
    exp,
    scope = '',
  } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload;
  return exp > now ? { sub, origin, scopes: scope.split(' ') } : null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A user's `sub` in a pool: a name that is a UUID is its own `sub`; any other name gives one that differs from pool to
 * pool.
 */
export function subjectOf(poolId: string, user: string): string {
  if (uuid.test(user)) return user.toLowerCase();
  const digest = createHash('sha256').update(`${poolId}/${user}`).digest('hex');
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
