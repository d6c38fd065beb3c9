import { type Application, applications, type Environment, environmentNamed } from '../contract/deployments.ts';
import {
  bundleIdVariable,
  type PlatformApplications,
  platformApplicationsVariable,
} from '../contract/push-platforms.ts';
import { type TableName, tableVariable } from '../contract/tables.ts';
import { userPoolVariables } from '../contract/uses.ts';

/** What a function is told about where it runs. The stack sets exactly these variables, and only those that its route needs. */
export type FunctionEnvironment = {
  readonly environment: Environment;
  readonly application: Application;
  readonly variables: Readonly<Record<string, string | undefined>>;
};

export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): FunctionEnvironment {
  const application = applications.find((name) => name === variables.APPLICATION);
  if (!application) throw new Error('APPLICATION is not set to an application');
  return { environment: environmentNamed(variables.ENVIRONMENT), application, variables };
}

/** @throws an Error where the route did not declare that it uses the table, so that the stack gave no name for it. */
export function tableNameOf(environment: FunctionEnvironment, table: TableName): string {
  const name = environment.variables[tableVariable(table)];
  if (!name) throw new Error(`${tableVariable(table)} is not set: the route does not declare that it uses ${table}`);
  return name;
}

export type UserPool = { readonly id: string; readonly clientId: string };

/** @throws an Error where the route did not declare that it uses the user pool. */
export function userPoolOf({ variables }: FunctionEnvironment): UserPool {
  const { [userPoolVariables.id]: id, [userPoolVariables.clientId]: clientId } = variables;
  if (!id || !clientId)
    throw new Error('USER_POOL_ID or CLIENT_ID is not set: the stack gives them where UserPool is used');
  return { id, clientId };
}

/** @throws an Error where the route did not declare that it uses the push platforms. */
export function platformApplicationsOf({ variables }: FunctionEnvironment): PlatformApplications {
  const written = variables[platformApplicationsVariable];
  if (!written) throw new Error('PLATFORM_APPLICATIONS is not set: the stack gives them where PushPlatforms is used');
  return JSON.parse(written) as PlatformApplications;
}

/** @throws an Error where the route or consumer did not declare that it publishes pushes. */
export function bundleIdOf({ variables }: FunctionEnvironment): string {
  const bundleId = variables[bundleIdVariable];
  if (!bundleId) throw new Error('IOS_BUNDLE_ID is not set: the stack gives it where PushPlatforms is for publishing');
  return bundleId;
}
