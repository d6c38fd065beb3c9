import type { Application, Role } from './register.ts';

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

export type Holder = {
  /** Those that the authorizer passed on: a group that is no role of the application is not among them. */
  readonly roles: readonly string[];
  readonly application: Application;
};

export function isHeld({ roles, everyoneIn = [] }: Permission, by: Holder): boolean {
  if (everyoneIn.includes(by.application)) return true;
  return roles.some((role) => by.roles.includes(role));
}

/** The names of the permissions that the caller has. */
export function namesHeld<P extends Permission>(permissions: readonly P[], by: Holder): P['name'][] {
  return permissions.filter((each) => isHeld(each, by)).map(({ name }) => name);
}
