import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { applications, environments } from '../../functions/product.ts';
import { useTimeMachine } from '../../functions/time-machine/permissions.ts';
import { readOwnProfile } from '../../functions/users/permissions.ts';
import type { Operation } from '../../lib/contract/declarations.ts';
import { type Method, pathParameters, route } from '../../lib/contract/route.ts';
import { apiOperation } from './api-body.ts';
import { ofType, synthesize } from './stage.ts';

describe('declarations of other kinds', () => {
  const probe = (id: string, method: Method, path: `/${string}`, more: object): Operation => ({
    id,
    domain: 'probe',
    file: `functions/probe/handlers/${id}.ts`,
    route: route({
      method,
      path,
      summary: 'A probe',
      applications,
      auth: 'public',
      params: z.object(Object.fromEntries(pathParameters(path).map((name) => [name, z.string()]))),
      response: z.object({}),
      errors: [],
      ...more,
    }),
  });
  const health = probe('getHealth', 'GET', '/health', {});
  const clock = probe('setClock', 'PUT', '/clock', { auth: useTimeMachine, environments: ['dev', 'staging'] });

  test.each(environments)(
    '%s: a public route needs no token, a metered one a key, and what is not here is nowhere',
    (environment) => {
      const { templates } = synthesize(environment, { operations: [health, clock] });
      expect(apiOperation(templates.Sleepcare, 'GET', '/v1/health').security).toBeUndefined();
      if (environment === 'prod') {
        expect(JSON.stringify(templates)).not.toMatch(/SetClock|set-clock/);
      } else {
        const { security } = apiOperation(templates.Sleepcare, 'PUT', '/v1/clock');
        expect(security).toEqual([{ 'bearer-token': [] }, { api_key: [] }]);
      }
    },
  );

  const deploymentOf = (...chosen: Operation[]) =>
    Object.keys(
      ofType('AWS::ApiGateway::Deployment', synthesize('dev', { operations: chosen }).templates.Sleepcare),
    )[0];

  test('a changed declaration is a new deployment, the same ones the same', () => {
    const once = deploymentOf(health);
    expect(deploymentOf(health)).toBe(once);
    const changed = [
      [health, clock],
      [probe('getHealth', 'GET', '/health', { auth: readOwnProfile })],
      [probe('getHealth', 'GET', '/healthy', {})],
      [],
    ];
    const ids = changed.map((operationsThen) => deploymentOf(...operationsThen));
    expect(new Set([once, ...ids]).size).toBe(changed.length + 1);
  });

  test('what the gateway does not see is no new deployment', () => {
    const query = z.object({ deep: z.optional(z.string()) });
    expect(deploymentOf(probe('getHealth', 'GET', '/health', { query }))).toBe(deploymentOf(health));
  });

  test('two names for one path parameter are refused, as API Gateway would at the deployment', () => {
    const one = probe('getUser', 'GET', '/users/{userId}', {});
    const other = probe('deleteUser', 'DELETE', '/users/{id}', {});
    expect(() => synthesize('dev', { operations: [one, other] })).toThrow('/v1/users/{userId} and /v1/users/{id}');
  });
});
