import { CognitoJwtVerifier } from 'aws-jwt-verify';
import {
  CognitoJwtInvalidClientIdError,
  JwtBaseError,
  JwtExpiredError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  ParameterValidationError,
} from 'aws-jwt-verify/error';
import type { JwksCache } from 'aws-jwt-verify/jwk';
import { KeysUnavailable, UnknownKey } from './jwks.ts';
import { hasSelfServiceScope } from './token-scopes.ts';

/**
 * The content of a verified access token. `username` is the pool's key of the user. `exp` and `signedInAt` are in seconds
 * since 1970. `signedInAt` is `auth_time`, the time of the sign-in, and `sessionId` is `origin_jti`: renewals change neither.
 * They are null if the token has none.
 */
export type Claims = {
  userId: string;
  username: string;
  clientId: string;
  groups: string[];
  exp: number;
  signedInAt: number | null;
  sessionId: string | null;
};

/** Seconds that the issuer's clock may be ahead of ours. */
const leewaySeconds = 5;

/** The check that a token failed. `form` is any other than the named ones: it is no token, or a claim is not of its type. */
export type WhyRefused =
  | 'expired'
  | 'early'
  | 'signature'
  | 'key'
  | 'header'
  | 'issuer'
  | 'client'
  | 'scope'
  | 'form'
  | 'no token';

type Refused = { readonly refused: WhyRefused };

type Verify = (token: string) => Promise<Claims | Refused>;

/**
 * Checks an access token of one user pool as decision 6 says. aws-jwt-verify checks signature, issuer, use, client and
 * expiry. It accepts tokens without `exp` or `sub`, with another algorithm, or with critical extensions that nobody here
 * understands, so these are checked as well.
 *
 * @param now real time in milliseconds
 * @returns a function that names the check which a token fails, if it fails any
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
    // What some app sends for "I have none", and what scanners send.
    if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return { refused: 'no token' };
    try {
      return claimsOf(
        await verifier.verify(token, { customJwtCheck: ({ header }) => assertPlainHeader(header) }),
        now(),
      );
    } catch (error) {
      if (error instanceof KeysUnavailable) throw error;
      return { refused: whyRefused(error) };
    }
  };
}

/** By class and not by message, which quotes the token. */
function whyRefused(error: unknown): WhyRefused {
  if (error instanceof JwtExpiredError) return 'expired';
  if (error instanceof JwtInvalidSignatureError) return 'signature';
  if (error instanceof UnknownKey) return 'key';
  if (error instanceof RefusedHeader || error instanceof JwtInvalidSignatureAlgorithmError) return 'header';
  if (error instanceof JwtNotBeforeError) return 'early';
  // The library has a set of keys for each known issuer, and no parameters for another.
  if (error instanceof ParameterValidationError) return 'issuer';
  return error instanceof CognitoJwtInvalidClientIdError ? 'client' : 'form';
}

class RefusedHeader extends JwtBaseError {}

function assertPlainHeader(header: { alg?: unknown; crit?: unknown }): void {
  if (header.alg !== 'RS256' || header.crit !== undefined) throw new RefusedHeader('RS256 without extensions only');
}

function claimsOf(payload: Readonly<Record<string, unknown>>, now: number): Claims | Refused {
  const {
    sub,
    username = sub,
    client_id: clientId,
    exp,
    iat,
    nbf,
    auth_time,
    origin_jti,
    'cognito:groups': groups = [],
  } = payload;
  // A token that opens Cognito's own API should not exist. It is refused, so that a lost trigger locks instead of opening.
  if (hasSelfServiceScope(payload)) return { refused: 'scope' };
  const seconds = now / 1000;
  const started = (time: unknown) => time === undefined || (isTime(time) && time <= seconds + leewaySeconds);
  // The id becomes a part of composite keys, which use `#` as separator.
  const isUser = typeof sub === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(sub);
  if (!isUser || typeof username !== 'string' || typeof clientId !== 'string' || !isTime(exp) || !isNames(groups)) {
    return { refused: 'form' };
  }
  if (exp <= seconds) return { refused: 'expired' };
  if (!started(iat) || !started(nbf)) return { refused: 'early' };
  const signedInAt = isTime(auth_time) ? auth_time : null;
  const sessionId = typeof origin_jti === 'string' ? origin_jti : null;
  return { userId: sub, username, clientId, groups, exp, signedInAt, sessionId };
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
