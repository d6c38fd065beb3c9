import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { JwtBaseError } from 'aws-jwt-verify/error';
import type { JwksCache } from 'aws-jwt-verify/jwk';
import { KeysUnavailable } from './jwks.ts';

/**
 * The content of a verified access token. `username` is the pool's key of the user. `exp` and `signedInAt` are in seconds
 * since 1970. `signedInAt` is `auth_time`, the time of the sign-in: renewals do not change it, and it is null if the token
 * has none.
 */
export type Claims = {
  userId: string;
  username: string;
  clientId: string;
  groups: string[];
  exp: number;
  signedInAt: number | null;
};

/** Seconds that the issuer's clock may be ahead of ours. */
const leewaySeconds = 5;

type Verify = (token: string) => Promise<Claims | null>;

/**
 * Checks an access token of one user pool as decision 6 says. aws-jwt-verify checks signature, issuer, use, client and
 * expiry. It accepts tokens without `exp` or `sub`, with another algorithm, or with critical extensions that nobody here
 * understands, so these are checked as well.
 *
 * @param now real time in milliseconds
 * @returns a function that gives null for every token that fails any of the checks
 * @throws (the function) KeysUnavailable where the pool's keys cannot be fetched
 */
export function tokenVerifier(
  pool: { userPoolId: string; clientIds: string[] },
  keys: JwksCache,
  now: () => number,
): Verify {
  const { userPoolId, clientIds } = pool;
  const verifier = CognitoJwtVerifier.create(
    { userPoolId, clientId: clientIds, tokenUse: 'access', includeRawJwtInErrors: false },
    { jwksCache: keys },
  );
  return async (token) => {
    try {
      return claimsOf(
        await verifier.verify(token, { customJwtCheck: ({ header }) => assertPlainHeader(header) }),
        now(),
      );
    } catch (error) {
      if (error instanceof KeysUnavailable) throw error;
      return null;
    }
  };
}

class RefusedHeader extends JwtBaseError {}

function assertPlainHeader(header: { alg?: unknown; crit?: unknown }): void {
  if (header.alg !== 'RS256' || header.crit !== undefined) throw new RefusedHeader('RS256 without extensions only');
}

function claimsOf(payload: Readonly<Record<string, unknown>>, now: number): Claims | null {
  const { sub, username = sub, client_id: clientId, exp, iat, nbf, auth_time, 'cognito:groups': groups = [] } = payload;
  const seconds = now / 1000;
  const started = (time: unknown) => time === undefined || (isTime(time) && time <= seconds + leewaySeconds);
  // The id becomes a part of composite keys, which use `#` as separator.
  const isUser = typeof sub === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(sub);
  if (!isUser || typeof username !== 'string' || typeof clientId !== 'string') return null;
  if (!isTime(exp) || exp <= seconds) return null;
  if (!started(iat) || !started(nbf) || !isNames(groups)) return null;
  return { userId: sub, username, clientId, groups, exp, signedInAt: isTime(auth_time) ? auth_time : null };
}

/** Seconds since 1970 that a Date can hold (ECMA-262, time values); a larger number is no time. */
const mostSeconds = 8.64e12;

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= mostSeconds;
}

/** A comma would split a name in the context that API Gateway passes on. */
function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && !name.includes(','));
}
