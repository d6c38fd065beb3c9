import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Forbidden, SignInTooOld, Unauthenticated } from '../contract/common-errors.ts';
import { isHeld, type Permission } from '../contract/permissions.ts';
import type { Route } from '../contract/route.ts';
import type { AuthorizerContext } from './authorizer-context.ts';
import type { FunctionEnvironment } from './environment.ts';
import { Failure } from './failure.ts';

/** Who calls, as the authorizer verified it. */
export type Caller = {
  readonly userId: string;
  /** What the user pool knows the user by; a random id, as the pools sign in by e-mail. */
  readonly username: string;
  readonly roles: readonly string[];
};

/**
 * @param now the real time in milliseconds: API Gateway caches the authorizer's answer beyond a token's end
 * @throws a Failure `UNAUTHENTICATED`, `FORBIDDEN` or `SIGN_IN_TOO_OLD`
 */
export function identify(
  event: APIGatewayProxyEvent,
  needed: Permission,
  { signedInWithinSeconds }: Pick<Route, 'signedInWithinSeconds'>,
  { environment, application }: FunctionEnvironment,
  now: number,
): Caller {
  const context = event.requestContext.authorizer as Partial<AuthorizerContext> | null | undefined;
  if (!context?.userId || !(Number(context.exp) * 1000 > now)) throw new Failure(Unauthenticated);
  const roles = (context.roles ?? '').split(',').filter((role) => role !== '');
  if (!isHeld(needed, { roles, application, environment })) throw new Failure(Forbidden);
  // A token that does not say when (an empty text, which is 0) was of no sign-in that is known.
  if (signedInWithinSeconds !== undefined && !(now / 1000 - Number(context.signedInAt) <= signedInWithinSeconds)) {
    throw new Failure(SignInTooOld);
  }
  return { userId: context.userId, username: context.username ?? context.userId, roles };
}
