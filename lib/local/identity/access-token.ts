import { createHash, randomUUID } from 'node:crypto';
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
export async function accessToken(claims: Claims, key: SigningKey): Promise<string> {
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
  const { SignJWT } = await import('jose');
  return new SignJWT(payload).setProtectedHeader({ kid: key.kid, alg: 'RS256' }).sign(key.privateKey);
}

/** The scope of Cognito's own operations, which every token has that no trigger took it from. */
export const selfService = 'aws.cognito.signin.user.admin';

export type Owner = {
  readonly poolId: string;
  readonly sub: string;
  readonly origin: string;
  readonly scopes: readonly string[];
};
type Payload = { readonly iss: string; readonly sub: string; readonly origin_jti: string; readonly scope?: string };

/**
 * The user, the sign-in and the scopes of a token that one of these keys signed and that has not expired; null for any other text.
 *
 * @param now milliseconds since 1970
 */
export async function ownerIn(token: string, keys: readonly SigningKey[], now: number): Promise<Owner | null> {
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  const published = createLocalJWKSet({ keys: keys.map(({ jwk }) => jwk) });
  const options = { currentDate: new Date(now), algorithms: ['RS256'], requiredClaims: ['exp'] };
  const verified = await jwtVerify<Payload>(token, published, options).catch(() => null);
  if (!verified) return null;
  const { iss, sub, origin_jti: origin, scope = '' } = verified.payload;
  return { poolId: iss.slice(iss.lastIndexOf('/') + 1), sub, origin, scopes: scope.split(' ') };
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
