import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/deployments.ts';
import { addFunction, type FunctionHome } from './function.ts';
import { sizes } from './settings.ts';
import type { SharedIdentity } from './shared-state.ts';
import { keyValue } from './usage-plan.ts';

export type AuthorizerProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly home: FunctionHome;
  readonly identity: SharedIdentity;
};

/** Verifies the bearer token and names the usage-plan key of its client; API Gateway keeps the result for a minute. */
export function addAuthorizer(
  stack: Stack,
  { environment, application, home, identity }: AuthorizerProps,
): CfnFunction {
  const keys = [...identity.clients].map(([name, client]) => [client.ref, keyValue(environment, application, name)]);
  return addFunction(stack, home, {
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
}
