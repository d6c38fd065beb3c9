import type { Application, Environment } from './deployments.ts';
import { type Role, rolesOf } from './roles.ts';

/** Something that a caller may do. The domain declares it in its `permissions.ts`, with the roles that hold it. */
export type Permission = {
  /** The name in the OpenAPI document and in `/iam`: `consents:write-own`. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The applications where every signed-in caller holds it, with or without a role. */
  readonly everyoneIn?: readonly Application[];
  /** Its routes are for tools and integrations: they need a usage-plan key, which the authorizer names (decision 3). */
  readonly metered?: true;
};

export function permission(name: string, declaration: Omit<Permission, 'name'>): Permission {
  return { name, ...declaration };
}

/**
 * A permission for the caller's own data. In the app for patients every caller holds it; in the other app every caller with
 * a role for people.
 */
export const owners = {
  everyoneIn: ['sleepcare'],
  roles: ['physician', 'agent', 'admin', 'researcher', 'clinical-safety', 'developer'],
} as const satisfies Omit<Permission, 'name'>;

export type Holder = {
  /** The caller's groups. A group that is not a role of the application gives nothing. */
  readonly roles: readonly string[];
  readonly application: Application;
  readonly environment: Environment;
};

export function isHeld({ roles, everyoneIn = [] }: Permission, by: Holder): boolean {
  if (everyoneIn.includes(by.application)) return true;
  return rolesOf(by.application, by.environment).some((role) => by.roles.includes(role) && roles.includes(role));
}

/** The names of the permissions that the caller has. */
export function namesHeld<P extends Permission>(permissions: readonly P[], by: Holder): P['name'][] {
  return permissions.filter((each) => isHeld(each, by)).map(({ name }) => name);
}
