import { CfnAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/deployments.ts';
import { tokens } from '../contract/tokens.ts';
import type { DeployedParts } from './deployed-parts.ts';
import { addFunction, type FunctionHome } from './function.ts';
import type { Identity } from './identity.ts';
import { allowAuthorizer, invocationUri } from './invocation.ts';
import { sizes } from './settings.ts';
import { keyValue } from './usage-plan.ts';

export type AuthorizerProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly home: FunctionHome;
  readonly identity: Identity;
  readonly apiId: string;
};

/** Verifies the bearer token and names the usage-plan key of its client; API Gateway keeps the result for a minute. */
export function addAuthorizer(stack: Stack, parts: DeployedParts, props: AuthorizerProps): CfnAuthorizer {
  const { environment, application, home, identity, apiId } = props;
  const keys = [...identity.clients].map(([name, client]) => [client.ref, keyValue(environment, application, name)]);
  const verifying = addFunction(stack, home, {
    name: 'authorizer',
    description: `Verifies the bearer tokens of ${application}`,
    size: sizes.authorizer,
    environment: {
      ENVIRONMENT: environment,
      APPLICATION: application,
      USER_POOL_ID: identity.pool.ref,
      API_KEYS: stack.toJsonString(Object.fromEntries(keys)),
    },
  });
  const authorizer = parts.add(CfnAuthorizer, 'Authorizer', {
    restApiId: apiId,
    name: 'bearer-token',
    type: 'TOKEN',
    identitySource: 'method.request.header.Authorization',
    authorizerUri: invocationUri(verifying),
    authorizerResultTtlInSeconds: tokens.authorizerCacheSeconds,
  });
  allowAuthorizer(stack, verifying, apiId, authorizer.ref);
  return authorizer;
}
