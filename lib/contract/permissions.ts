import type { Application, Environment } from './deployments.ts';

/** Role → permissions, one table (contract section 3). Roles are the user pool's groups. */

/** What a caller may do with what is the caller's own; `profile:read-own` is left to a caller without any role. */
const own = [
  'profile:write-own',
  'permissions:read-own',
  'consents:read-own',
  'consents:write-own',
  'devices:read-own',
  'devices:write-own',
] as const;

/** The same in the app that has an agent board. */
const ownInSleepcare = [...own, 'agent-board:read-own', 'agent-board:write-own'] as const;

export const permissions = [
  'profile:read-own',
  ...ownInSleepcare,
  'patients:read',
  'users:read',
  'users:admin',
  'agent-board:write',
  'support:write',
  'agreements:admin',
  'app-version:admin',
  'audit:read',
  'push:test',
  'time-machine:use',
  'consents:read',
] as const;
export type Permission = (typeof permissions)[number];

export const roles = ['patient', 'physician', 'agent', 'admin', 'developer', 'integration'] as const;
export type Role = (typeof roles)[number];

type Grant = {
  readonly applications: readonly Application[];
  /** Absent: every environment. */
  readonly environments?: readonly Environment[];
  readonly permissions: readonly Permission[];
};

const everyoneSignedIn: readonly Permission[] = ['profile:read-own'];
const agent: readonly Permission[] = [...own, 'agent-board:write', 'users:read', 'support:write'];

export const grants: Record<Role, Grant> = {
  patient: { applications: ['sleepcare'], permissions: ownInSleepcare },
  physician: { applications: ['medinfo'], permissions: [...own, 'patients:read', 'agent-board:write', 'users:read'] },
  agent: { applications: ['medinfo'], permissions: agent },
  admin: {
    applications: ['medinfo'],
    permissions: [...agent, 'agreements:admin', 'app-version:admin', 'users:admin', 'audit:read'],
  },
  developer: {
    applications: ['sleepcare', 'medinfo'],
    environments: ['dev', 'staging'],
    permissions: [...own, 'push:test', 'time-machine:use'],
  },
  integration: { applications: ['sleepcare', 'medinfo'], permissions: ['consents:read'] },
};

/** Routes with one of these need a usage-plan key; the authorizer names it (contract section 8). */
export const meteredPermissions: readonly Permission[] = ['push:test', 'time-machine:use', 'consents:read'];

/** The roles that exist in an application's user pool. */
export function rolesOf(application: Application, environment: Environment): Role[] {
  return roles.filter((role) => {
    const grant = grants[role];
    return grant.applications.includes(application) && (grant.environments ?? [environment]).includes(environment);
  });
}

/** What a caller with these groups may do; a group that is no role there gives nothing. */
export function permissionsOf(
  callerRoles: readonly string[],
  application: Application,
  environment: Environment,
): Set<Permission> {
  const held = rolesOf(application, environment).filter((role) => callerRoles.includes(role));
  return new Set([
    ...everyoneSignedIn,
    ...(application === 'sleepcare' ? ownInSleepcare : []),
    ...held.flatMap((role) => grants[role].permissions),
  ]);
}
