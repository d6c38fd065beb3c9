import type { RolePlace, RolePlaces } from './product.ts';
import type { Application, Environment } from './register.ts';

/** The roles that exist in an application's user pool, where they are its groups (decision 12). */
export function rolesOf<const P extends RolePlaces>(
  places: P,
  application: Application,
  environment: Environment,
): (keyof P & string)[] {
  return Object.entries<RolePlace>(places)
    .filter(([, { applications, environments }]) => {
      return applications.includes(application) && (environments?.includes(environment) ?? true);
    })
    .map(([role]) => role);
}

/** Those of a token's groups that are roles there. Every other group gives nothing. */
export function rolesAmong(
  groups: readonly string[],
  places: RolePlaces,
  application: Application,
  environment: Environment,
): readonly string[] {
  const known: readonly string[] = rolesOf(places, application, environment);
  return groups.filter((group) => known.includes(group));
}
