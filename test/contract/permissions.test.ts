import { describe, expect, test } from 'vitest';
import { type Application, applications, type Environment, environments } from '../../lib/contract/deployments.ts';
import { grants, type Permission, permissions, permissionsOf, roles, rolesOf } from '../../lib/contract/permissions.ts';

/** The contract's table of roles (section 3), line by line. */

const signedIn: Permission[] = ['profile:read-own'];
const own: Permission[] = [
  ...signedIn,
  'profile:write-own',
  'permissions:read-own',
  'consents:read-own',
  'consents:write-own',
  'devices:read-own',
  'devices:write-own',
];

/** In the app that has an agent board. */
const ownInSleepcare: Permission[] = [...own, 'agent-board:read-own', 'agent-board:write-own'];

type Line = [roles: string[], application: Application, environment: Environment, expected: Permission[]];

const lines: Line[] = [
  [[], 'sleepcare', 'prod', ownInSleepcare],
  [['patient'], 'sleepcare', 'prod', ownInSleepcare],
  [['patient'], 'medinfo', 'prod', signedIn],
  [['physician'], 'medinfo', 'prod', [...own, 'patients:read', 'agent-board:write', 'users:read']],
  [['physician'], 'sleepcare', 'prod', ownInSleepcare],
  [['agent'], 'medinfo', 'prod', [...own, 'agent-board:write', 'users:read', 'support:write']],
  [['agent'], 'sleepcare', 'prod', ownInSleepcare],
  [
    ['admin'],
    'medinfo',
    'prod',
    [
      ...own,
      'agent-board:write',
      'users:read',
      'support:write',
      'agreements:admin',
      'app-version:admin',
      'users:admin',
      'audit:read',
    ],
  ],
  [['admin'], 'sleepcare', 'prod', ownInSleepcare],
  [['developer'], 'sleepcare', 'dev', [...ownInSleepcare, 'push:test', 'time-machine:use']],
  [['developer'], 'medinfo', 'staging', [...own, 'push:test', 'time-machine:use']],
  [['developer'], 'sleepcare', 'prod', ownInSleepcare],
  [['developer'], 'medinfo', 'prod', signedIn],
  [['integration'], 'sleepcare', 'prod', [...ownInSleepcare, 'consents:read']],
  [['integration'], 'medinfo', 'prod', [...signedIn, 'consents:read']],
  [[], 'medinfo', 'prod', signedIn],
  [['a group that is no role'], 'medinfo', 'prod', signedIn],
  [
    ['physician', 'integration'],
    'medinfo',
    'prod',
    [...own, 'patients:read', 'agent-board:write', 'users:read', 'consents:read'],
  ],
];

test.each(lines)('%j of %s in %s', (callerRoles, application, environment, expected) => {
  expect([...permissionsOf(callerRoles, application, environment)].toSorted()).toEqual(expected.toSorted());
});

describe('the table is whole', () => {
  test('each permission is held by somebody', () => {
    const held = applications.flatMap((application) =>
      environments.flatMap((environment) => [...permissionsOf(roles, application, environment)]),
    );
    expect(new Set(held)).toEqual(new Set(permissions));
  });

  test('each role exists in its applications and environments, and nowhere else', () => {
    expect(rolesOf('sleepcare', 'dev')).toEqual(['patient', 'developer', 'integration']);
    expect(rolesOf('sleepcare', 'prod')).toEqual(['patient', 'integration']);
    expect(rolesOf('medinfo', 'staging')).toEqual(['physician', 'agent', 'admin', 'developer', 'integration']);
    expect(rolesOf('medinfo', 'prod')).toEqual(['physician', 'agent', 'admin', 'integration']);
    expect(Object.keys(grants)).toEqual(roles);
  });
});
