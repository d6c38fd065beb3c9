import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { authorizerContext } from './authorizer-context.ts';
import { fetchKeys, keyCache } from './jwks.ts';
import { describeError, writeLine } from './log.ts';
import { lambda, type Runtime } from './runtime.ts';
import { tokenVerifier } from './token.ts';

type Authorizer = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/**
 * The one authorizer of an API. It says who calls; whether the route is allowed is `serve`'s to decide, since API
 * Gateway keeps this answer for a minute and uses it for every route.
 *
 * @throws exactly `Unauthorized`, which API Gateway turns into the 401; any other error becomes the 503
 */
export function authorizer({ variables, realNow, write }: Runtime, load = fetchKeys): Authorizer {
  let made: { verify: ReturnType<typeof tokenVerifier>; keyOfClient: Record<string, string> } | undefined;

  function make() {
    const userPoolId = variables.USER_POOL_ID ?? '';
    const keyOfClient: Record<string, string> = JSON.parse(variables.API_KEYS ?? '{}');
    const region = userPoolId.split('_')[0];
    const issuer =
      variables.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER ?? `https://cognito-idp.${region}.amazonaws.com`;
    const keys = keyCache(
      () => load(`${issuer}/${userPoolId}/.well-known/jwks.json`),
      () => performance.now(),
    );
    const pool = { userPoolId, clientIds: Object.keys(keyOfClient) };
    return { keyOfClient, verify: tokenVerifier(pool, keys, () => realNow().getTime()) };
  }

  return async ({ authorizationToken, methodArn }) => {
    made ??= make();
    const { verify, keyOfClient } = made;
    const token = /^Bearer +(\S+)$/i.exec(authorizationToken ?? '')?.[1];
    const claims = token && (await verify(token).catch((error: unknown) => unavailable(error)));
    if (!claims) throw new Error('Unauthorized');
    return {
      principalId: claims.userId,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: everyRoute(methodArn) }],
      },
      context: authorizerContext(claims.userId, claims.groups, claims.exp),
      usageIdentifierKey: keyOfClient[claims.clientId],
    };
  };

  function unavailable(error: unknown): never {
    writeLine(write, { level: 'ERROR', message: 'keys unavailable', error: describeError(error) }, realNow());
    throw error;
  }
}

/** `arn:aws:execute-api:…:api/stage/GET/v1/users` → `arn:aws:execute-api:…:api/stage/*`. */
function everyRoute(methodArn: string): string {
  return `${methodArn.split('/').slice(0, 2).join('/')}/*`;
}

export const handler: Authorizer = authorizer(lambda);
