import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Forbidden, SignInTooOld, Unauthenticated } from '../contract/common-errors.ts';
import { isHeld, type Permission } from '../contract/permissions.ts';
import type { Route } from '../contract/route.ts';
import type { AuthorizerContext } from './authorizer-context.ts';
import type { FunctionEnvironment } from './environment.ts';
import { Failure } from './failure.ts';

/** The caller, as the authorizer verified it. */
export type Caller = {
  readonly userId: string;
  /** The user pool's name of the user: a random id, as people sign in by e-mail. */
  readonly username: string;
  readonly roles: readonly string[];
  /** The session of the token, and when it began, in seconds since 1970; null where the token does not say it. */
  readonly sessionId: string | null;
  readonly signedInAt: number | null;
};

/**
 * @param now the real time in milliseconds: API Gateway caches the authorizer's answer even after a token's end
 * @throws a Failure `UNAUTHENTICATED`, `FORBIDDEN` or `SIGN_IN_TOO_OLD`
 */
export function identify(
  event: APIGatewayProxyEvent,
  needed: Permission,
  { signedInWithinSeconds }: Pick<Route, 'signedInWithinSeconds'>,
  { application }: FunctionEnvironment,
  now: number,
): Caller {
  const context = event.requestContext.authorizer as Partial<AuthorizerContext> | null | undefined;
  if (!context?.userId || !(Number(context.exp) * 1000 > now)) throw new Failure(Unauthenticated);
  const roles = (context.roles ?? '').split(',').filter((role) => role !== '');
  if (!isHeld(needed, { roles, application })) throw new Failure(Forbidden);
  // A token without the time of its sign-in has no known sign-in.
  const signedInAt = context.signedInAt ? Number(context.signedInAt) : null;
  if (signedInWithinSeconds !== undefined && !(now / 1000 - (signedInAt ?? 0) <= signedInWithinSeconds)) {
    throw new Failure(SignInTooOld);
  }
  const { userId, username = userId, sessionId = '' } = context;
  return { userId, username, roles, sessionId: sessionId || null, signedInAt };
}
