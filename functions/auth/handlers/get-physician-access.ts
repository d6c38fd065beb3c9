import { Forbidden, Unauthenticated, Unavailable } from '../../../lib/contract/common-errors.ts';
import type { Role } from '../../../lib/contract/register.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { KeysUnavailable } from '../../../lib/runtime/jwks.ts';
import { bearerIn, poolVerifier } from '../../../lib/runtime/pool-verifier.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { staffRolesOf } from '../../../lib/runtime/staff-standing.ts';
import { InvalidGrant } from '../errors.ts';
import { getPhysicianAccess } from '../routes.ts';
import { renew } from '../stores/user-pool.ts';
import { handOut } from '../workflows/hand-out.ts';

const needed: Role = 'physician';

let verify: ReturnType<typeof poolVerifier> | undefined;

export const handler = serve(getPhysicianAccess)(async ({ headers, tables, secrets, userPool, fail }) => {
  const bearer = bearerIn(headers.authorization);
  if (!bearer) return fail(Unauthenticated);
  verify ??= poolVerifier({ userPoolId: userPool.id, clientIds: [userPool.clientId] }, lambda);

  // A signed token has three parts; a refresh token is encrypted and has five.
  if (bearer.split('.').length === 3) {
    const claims = await verify(bearer).catch(unavailable);
    if (!claims) return fail(Unauthenticated);
    // No authorizer was asked: the row decides here, too, over a token that was issued before a role was taken.
    const roles = await staffRolesOf(dynamo(), tables.StaffAccounts, claims);
    if (!roles) return fail(Unauthenticated);
    if (!roles.includes(needed)) return fail(Forbidden);
    const expiresIn = Math.floor(claims.exp - lambda.realNow().getTime() / 1000);
    return { accessToken: bearer, tokenType: 'Bearer' as const, expiresIn, refreshToken: null };
  }
  const renewed = await renew(cognito(), userPool, bearer);
  if (renewed.outcome !== 'tokens') return fail(InvalidGrant);
  const place = { dynamo: dynamo(), tables, secret: secrets.SignInKey, cognito: cognito(), userPool };
  const tokens = await handOut(place, renewed.tokens, { said: {}, presented: bearer });
  if (!tokens) return fail(InvalidGrant);
  const claims = await verify(tokens.accessToken).catch(unavailable);
  const roles = claims && (await staffRolesOf(dynamo(), tables.StaffAccounts, claims));
  if (!roles) return fail(InvalidGrant);
  return roles.includes(needed) ? tokens : fail(Forbidden);
});

function unavailable(error: unknown): never {
  throw error instanceof KeysUnavailable ? new Failure(Unavailable) : error;
}
