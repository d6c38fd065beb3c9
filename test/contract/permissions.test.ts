import { describe, expect, test } from 'vitest';
import { domains, permissions } from '../../functions/domains.ts';
import { type Application, applications, type Environment, environments } from '../../lib/contract/deployments.ts';
import { namesHeld } from '../../lib/contract/permissions.ts';
import { roles, rolesOf } from '../../lib/contract/roles.ts';

/** The contract's table of roles (section 3), line by line. */

const signedIn: string[] = ['profile:read-own'];
const own: string[] = [
  ...signedIn,
  'profile:write-own',
  'permissions:read-own',
  'consents:read-own',
  'consents:write-own',
  'devices:read-own',
  'devices:write-own',
];

/** In the app that has an agent board. */
const ownInSleepcare: string[] = [...own, 'agent-board:read-own', 'agent-board:write-own'];

type Line = [roles: string[], application: Application, environment: Environment, expected: string[]];

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
  expect(namesHeld(permissions, { roles: callerRoles, application, environment })).toEqual(expected.toSorted());
});

describe('the table is whole', () => {
  test('each permission has a name of its own', () => {
    const declared = Object.values(domains).flatMap(({ permissions = {} }) => Object.values(permissions));
    expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
  });

  test('each permission is held by somebody', () => {
    const held = applications.flatMap((application) =>
      environments.flatMap((environment) => namesHeld(permissions, { roles, application, environment })),
    );
    expect(new Set(held)).toEqual(new Set(permissions.map(({ name }) => name)));
  });

  test('each role exists in its applications and environments, and nowhere else', () => {
    expect(rolesOf('sleepcare', 'dev')).toEqual(['patient', 'developer', 'integration']);
    expect(rolesOf('sleepcare', 'prod')).toEqual(['patient', 'integration']);
    expect(rolesOf('medinfo', 'staging')).toEqual(['physician', 'agent', 'admin', 'developer', 'integration']);
    expect(rolesOf('medinfo', 'prod')).toEqual(['physician', 'agent', 'admin', 'integration']);
  });
});
