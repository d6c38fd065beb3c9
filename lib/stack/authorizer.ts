import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/register.ts';
import { StaffAccounts } from '../contract/staff-accounts.ts';
import { get, tablesIn, type Uses } from '../contract/uses.ts';
import { bindingsOf } from './bindings.ts';
import { addFunction, type FunctionHome } from './function.ts';
import { deploymentOf } from './product-app.ts';
import { sizes } from './settings.ts';
import type { SharedState } from './shared-state.ts';
import { keyValue } from './usage-plan.ts';

export type AuthorizerProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly home: FunctionHome;
  readonly state: SharedState;
};

/** Verifies the bearer token and names the usage-plan key of its client; API Gateway keeps the result for a minute. */
export function addAuthorizer(stack: Stack, { environment, application, home, state }: AuthorizerProps): CfnFunction {
  const identity = state.identity(application);
  // Elsewhere nobody is staff, and the authorizer reads no table.
  const uses: Uses = deploymentOf(stack, application).isForStaff ? [get(StaffAccounts)] : [];
  const bindings = bindingsOf(uses, tablesIn(uses), { environment, application, state });
  const keys = [...identity.clients].map(([name, client]) => [client.ref, keyValue(environment, application, name)]);
  const names = [...identity.clients].map(([name, client]) => [client.ref, name]);
  return addFunction(stack, home, {
    id: 'Authorizer',
    name: uses.length > 0 ? 'staff-authorizer' : 'authorizer',
    description: `Verifies the bearer tokens of ${application}`,
    size: sizes.authorizer,
    environment: {
      ...bindings.variables,
      USER_POOL_ID: identity.pool.ref,
      CLIENT_NAMES: stack.toJsonString(Object.fromEntries(names)),
      API_KEYS: stack.toJsonString(Object.fromEntries(keys)),
    },
    statements: bindings.statements,
  });
}
