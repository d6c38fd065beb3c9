import { Forbidden, Unauthenticated, Unavailable } from '../../../lib/contract/common-errors.ts';
import { isEnded } from '../../../lib/contract/ended-sessions.ts';
import type { Role } from '../../../lib/contract/register.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { KeysUnavailable } from '../../../lib/runtime/jwks.ts';
import { bearerIn, poolVerifier } from '../../../lib/runtime/pool-verifier.ts';
import { logRefused } from '../../../lib/runtime/refused-token.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { staffRolesOf } from '../../../lib/runtime/staff-standing.ts';
import { InvalidGrant } from '../errors.ts';
import { getPhysicianAccess } from '../routes.ts';
import { readEndings } from '../stores/ended-sessions.ts';
import { renewToken } from '../workflows/renew-session.ts';

const needed: Role = 'physician';

let verify: ReturnType<typeof poolVerifier> | undefined;

export const handler = serve(getPhysicianAccess)(async (input) => {
  const { headers, application, tables, secrets, queues, userPool, count, fail } = input;
  const bearer = bearerIn(headers.authorization);
  if (!bearer) return fail(Unauthenticated);
  verify ??= poolVerifier({ userPoolId: userPool.id, clientIds: [userPool.clientId] }, lambda);

  // A signed token has three parts, and a refresh token of ours has five.
  if (bearer.split('.').length === 3) {
    const claims = await verify(bearer).catch(unavailable);
    if ('refused' in claims) {
      logRefused(lambda, claims.refused);
      return fail(Unauthenticated);
    }
    // No gate was passed, either: a token of a session that has ended is exchanged for nothing.
    const endings = await readEndings(tables.EndedSessions, claims.userId);
    if (isEnded(endings, claims)) return fail(Unauthenticated);
    // No authorizer was asked: the row decides here, too, over a token that was issued before a role was taken.
    const roles = await staffRolesOf(tables.StaffAccounts, claims);
    if (!roles) return fail(Unauthenticated);
    if (!roles.includes(needed)) return fail(Forbidden);
    const expiresIn = Math.floor(claims.exp - lambda.realNow().getTime() / 1000);
    return { accessToken: bearer, tokenType: 'Bearer' as const, expiresIn, refreshToken: null };
  }
  const deps = { tables, secret: secrets.SignInKey, application, cognito: cognito(), userPool };
  const renewed = await renewToken({ ...deps, mailQueue: queues.MailQueue }, bearer);
  if (renewed.outcome !== 'tokens') {
    if (renewed.isNews) count('refreshTokenReused');
    return fail(InvalidGrant, renewed.reason && { reason: renewed.reason });
  }
  const { tokens } = renewed;
  const claims = await verify(tokens.accessToken).catch(unavailable);
  // A token that Cognito has just signed is refused only where this service is wrong about the pool.
  const roles = 'refused' in claims ? null : await staffRolesOf(tables.StaffAccounts, claims);
  if (!roles) return fail(InvalidGrant, { reason: 'ended' });
  return roles.includes(needed) ? tokens : fail(Forbidden);
});

function unavailable(error: unknown): never {
  throw error instanceof KeysUnavailable ? new Failure(Unavailable) : error;
}
