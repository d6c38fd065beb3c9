import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import type { RoleScopes } from '../contract/product.ts';
import { rolesAmong } from '../contract/roles.ts';
import { authorizerContext } from './authorizer-context.ts';
import { readEnvironment } from './environment.ts';
import { fetchKeys } from './jwks.ts';
import { describeError, writeLine } from './log.ts';
import { bearerIn, poolVerifier } from './pool-verifier.ts';
import { logRefused } from './refused-token.ts';
import type { Runtime } from './runtime.ts';
import type { Claims } from './token.ts';

export type Authorizer = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

export type AuthorizerOptions = {
  /** Where each role exists. A group that is no role of the application in this environment, or of another client, gives nothing. */
  readonly scopes: RoleScopes;
  readonly load?: typeof fetchKeys;
  /** Returns the roles that replace the token's groups, or null: the token is no longer valid. Absent: the token's groups count. */
  readonly rolesOf?: (claims: Claims) => Promise<readonly string[] | null>;
};

/**
 * The one authorizer of an API. It identifies the caller. `serve` decides whether the route is allowed, since API Gateway
 * keeps this answer for a minute and uses it for every route.
 *
 * @throws exactly `Unauthorized`, which API Gateway turns into the 401; any other error becomes the 503
 */
export function authorizer(runtime: Runtime, { scopes, load = fetchKeys, rolesOf }: AuthorizerOptions): Authorizer {
  const { variables, realNow, write } = runtime;
  let made: ReturnType<typeof make> | undefined;

  function make() {
    const keyOfClient: Record<string, string> = JSON.parse(variables.API_KEYS ?? '{}');
    const nameOfClient: Record<string, string> = JSON.parse(variables.CLIENT_NAMES ?? '{}');
    const pool = { userPoolId: variables.USER_POOL_ID ?? '', clientIds: Object.keys(keyOfClient) };
    return {
      keyOfClient,
      nameOfClient,
      where: readEnvironment(variables),
      verify: poolVerifier(pool, { variables, realNow }, load),
    };
  }

  return async ({ authorizationToken, methodArn }) => {
    made ??= make();
    const { verify, keyOfClient, nameOfClient, where } = made;
    const token = bearerIn(authorizationToken);
    if (token === undefined) return refuse('absent');
    const claims = await verify(token).catch((error: unknown) => unavailable('keys unavailable', error));
    if ('refused' in claims) return refuse(claims.refused);
    const groups = rolesOf
      ? await rolesOf(claims).catch((error: unknown) => unavailable('staff account unavailable', error))
      : claims.groups;
    if (!groups) return refuse('ended');
    return {
      principalId: claims.userId,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: everyRoute(methodArn) }],
      },
      context: authorizerContext({
        ...claims,
        groups: rolesAmong(groups, scopes, { ...where, client: nameOfClient[claims.clientId] }),
      }),
      usageIdentifierKey: keyOfClient[claims.clientId],
    };
  };

  function refuse(why: Parameters<typeof logRefused>[1]): never {
    logRefused(runtime, why);
    throw new Error('Unauthorized');
  }

  function unavailable(message: string, error: unknown): never {
    writeLine(write, { level: 'ERROR', message, error: describeError(error) }, realNow());
    throw error;
  }
}

/** `arn:aws:execute-api:…:api/stage/GET/v1/users` → `arn:aws:execute-api:…:api/stage/*`. */
function everyRoute(methodArn: string): string {
  return `${methodArn.split('/').slice(0, 2).join('/')}/*`;
}
