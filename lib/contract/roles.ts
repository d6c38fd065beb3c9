import type { RoleScope, RoleScopes } from './product.ts';
import type { Application, Environment } from './register.ts';

/** The roles of an application. In a pool of patients they are its groups (decision 12); of the staff only rows give them (decision 47). */
export function rolesOf<const P extends RoleScopes>(
  scopes: P,
  application: Application,
  environment: Environment,
): (keyof P & string)[] {
  return Object.entries<RoleScope>(scopes)
    .filter(([, { applications, environments }]) => {
      return applications.includes(application) && (environments?.includes(environment) ?? true);
    })
    .map(([role]) => role);
}

/** What a token is of. */
export type TokenContext = {
  readonly application: Application;
  readonly environment: Environment;
  /** The name of the app client that it was issued to. */
  readonly client: string | undefined;
};

/**
 * Those of the names that are roles there. Every other name gives nothing, and neither does a tool's role in a token of another client:
 * so whoever can put a person into that group gains nothing by it.
 */
export function rolesAmong(
  names: readonly string[],
  scopes: RoleScopes,
  { application, environment, client }: TokenContext,
): readonly string[] {
  const known: readonly string[] = rolesOf(scopes, application, environment);
  return names.filter((name) => known.includes(name) && (scopes[name]?.client ?? client) === client);
}
