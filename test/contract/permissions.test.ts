import { describe, expect, test } from 'vitest';
import { domains, permissions } from '../../functions/domains.ts';
import { applications, datedGraceMs, deletionGraceDays, environments, roleScopes } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import { Clock } from '../../functions/time-machine/tables.ts';
import { namesHeld } from '../../lib/contract/permissions.ts';
import type { RoleScope } from '../../lib/contract/product.ts';
import type { Application, Environment } from '../../lib/contract/register.ts';
import { rolesAmong, rolesOf } from '../../lib/contract/roles.ts';
import { tableExistsIn } from '../../lib/contract/tables.ts';
import { permissionsOf, written } from '../written-callers.ts';

/** Who holds what, against what `test/<domain>/callers.ts` says. */

type Line = [roles: string[], application: Application, environment: Environment];

const lines: Line[] = [
  [[], 'sleepcare', 'prod'],
  [['patient'], 'sleepcare', 'prod'],
  [['patient'], 'medinfo', 'prod'],
  [['physician'], 'medinfo', 'prod'],
  [['physician'], 'sleepcare', 'prod'],
  [['agent'], 'medinfo', 'prod'],
  [['agent'], 'sleepcare', 'prod'],
  [['admin'], 'medinfo', 'prod'],
  [['admin'], 'sleepcare', 'prod'],
  [['developer'], 'sleepcare', 'dev'],
  [['developer'], 'medinfo', 'staging'],
  [['developer'], 'sleepcare', 'prod'],
  [['developer'], 'medinfo', 'prod'],
  [['integration'], 'sleepcare', 'prod'],
  [['integration'], 'medinfo', 'prod'],
  [['researcher'], 'medinfo', 'prod'],
  [['researcher'], 'sleepcare', 'prod'],
  [['clinical-safety'], 'medinfo', 'prod'],
  [['clinical-safety'], 'sleepcare', 'prod'],
  [[], 'medinfo', 'prod'],
  [['a group that is no role'], 'medinfo', 'prod'],
  [['physician', 'integration'], 'medinfo', 'prod'],
];

test.each(lines)('%j of %s in %s', (callerRoles, application, environment) => {
  const caller = { roles: callerRoles, application, environment };
  const known = rolesAmong(callerRoles, roleScopes, { application, environment, client: 'integration' });
  expect(namesHeld(permissions, { roles: known, application })).toEqual(permissionsOf(caller));
});

describe('the table is whole', () => {
  test('the holders of each permission are written down, in its domain and for nothing else', () => {
    const declared = Object.entries(domains).flatMap(([domain, { permissions = {} }]) =>
      Object.values(permissions).map(({ name }) => `${domain}: ${name}`),
    );
    const inFiles = [...written.holders].map(([name, { domain }]) => `${domain}: ${name}`);
    expect(inFiles.toSorted()).toEqual(declared.toSorted());
  });

  test('each permission has its own name', () => {
    const declared = Object.values(domains).flatMap(({ permissions = {} }) => Object.values(permissions));
    expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
  });

  test('each permission is held by somebody', () => {
    const held = applications.flatMap((application) =>
      environments.flatMap((environment) =>
        namesHeld(permissions, { roles: rolesOf(roleScopes, application, environment), application }),
      ),
    );
    expect(new Set(held)).toEqual(new Set(permissions.map(({ name }) => name)));
  });

  test('each role exists in its applications and environments, and nowhere else', () => {
    const staff = ['physician', 'agent', 'admin', 'researcher', 'clinical-safety'];
    expect(rolesOf(roleScopes, 'sleepcare', 'dev')).toEqual(['patient', 'developer', 'integration']);
    expect(rolesOf(roleScopes, 'sleepcare', 'prod')).toEqual(['patient', 'integration']);
    expect(rolesOf(roleScopes, 'medinfo', 'staging')).toEqual([...staff, 'developer', 'integration']);
    expect(rolesOf(roleScopes, 'medinfo', 'prod')).toEqual([...staff, 'integration']);
  });

  test('a tool’s client exists wherever its role does', () => {
    for (const { client } of Object.values<RoleScope>(roleScopes)) {
      if (client === undefined) continue;
      for (const environment of environments) expect(settings[environment].integrationClients).toContain(client);
    }
  });

  test('the days of grace are dated where the time cannot be set', () => {
    for (const environment of environments) {
      const isSettable = tableExistsIn(Clock, environment);
      expect(datedGraceMs[environment]).toBe(isSettable ? 0 : deletionGraceDays[environment] * 86_400_000);
    }
  });
});
