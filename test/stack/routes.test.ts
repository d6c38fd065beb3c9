import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Operation, operations } from '../../functions/domains.ts';
import { useTimeMachine } from '../../functions/time-machine/permissions.ts';
import { readOwnProfile } from '../../functions/users/permissions.ts';
import { type Application, applications, deployments, environments } from '../../lib/contract/deployments.ts';
import { existsIn, isMetered, type Method, pathParameters, route } from '../../lib/contract/route.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { settings } from '../../lib/stack/settings.ts';
import { apiBody, apiOperation, routed } from './api-body.ts';
import { ofType, properties, stage, synthesize } from './stage.ts';

describe.each(environments)('%s', (environment) => {
  const api = (application: Application) => stage(environment).templates[logicalId(application)];
  const here = applications.flatMap((application) =>
    operations
      .filter(({ route }) => existsIn(route, environment, application))
      .map((each) => ({ ...each, application, path: `${deployments[application].prefix}${each.route.path}` })),
  );

  test.each(applications)('%s has its declared operations, and no other', (application) => {
    const declared = here
      .filter((each) => each.application === application)
      .map(({ id, route, path }) => `${id}: ${route.method} ${path}`);
    const found = routed(api(application)).map(({ path, method, operation }) => {
      return `${operation.operationId}: ${method} ${path}`;
    });
    expect(found.sort()).toEqual(declared.sort());
  });

  /** cdk-nag does not look into a body: this is what its rules about methods would hold. */
  test.each(here)('$application $id: its authorizer or declared public, a key where it is metered', (each) => {
    const { id, route, application, path } = each;
    const { security = [], ...operation } = apiOperation(api(application), route.method, path);
    const expected = route.auth === 'public' ? [] : [{ 'bearer-token': [] }];
    expect(security).toEqual(isMetered(route) ? [...expected, { api_key: [] }] : expected);
    const called = `${logicalId(id)}${settings[environment].canaries.includes(id) ? 'Live' : 'Function'}`;
    expect(operation).toEqual({
      operationId: id,
      ...(path.includes('{') && { parameters: expect.any(Array) }),
      responses: { [String(route.status ?? 200)]: { description: expect.stringMatching(/^20[012] response$/) } },
      'x-amazon-apigateway-integration': {
        type: 'aws_proxy',
        httpMethod: 'POST',
        uri: expect.stringMatching(
          new RegExp(`functions/<\\w+Functions\\.Outputs\\.\\w+${called}\\w*(\\.Arn)?>/invocations$`),
        ),
        timeoutInMillis: 9500,
      },
    });
  });

  /**
   * The gateway would answer in its own words, and only the first thing that is wrong. That each function validates all that
   * its route declares, test/house/validation.test.ts asks over HTTP.
   */
  test.each(applications)(
    '%s: no validator of the gateway’s, and each path’s parameters are declared',
    (application) => {
      expect(JSON.stringify(apiBody(api(application)))).not.toContain('x-amazon-apigateway-request-validator');
      for (const { route } of here) {
        const inPath = Object.keys(route.params?.shape ?? {}).sort();
        expect(inPath).toEqual(pathParameters(route.path).sort());
      }
    },
  );

  test.each(here)(
    '$application $id: may be called for its stage, method and path alone',
    ({ id, route, application, path }) => {
      const { FunctionName, SourceArn, ...permission } = properties(api(application), `${logicalId(id)}Invocation`);
      expect(permission).toEqual({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
      const { uri } = apiOperation(api(application), route.method, path)['x-amazon-apigateway-integration'];
      expect(uri).toContain(`functions/${FunctionName}/invocations`);
      const source = `<Api>/${deployments[application].stage}/${route.method}${path.replace(/\{\w+\}/g, '*')}`;
      expect(SourceArn).toBe(`arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:${source}`);
    },
  );
});

describe('a declared route', () => {
  test('is reached under the base address', () => {
    for (const [application, path] of [
      ['sleepcare', '/v1/users/agreements/{agreementId}/consent'],
      ['medinfo', '/users/agreements/{agreementId}/consent'],
    ] as const) {
      const template = stage('dev').templates[logicalId(application)];
      expect(apiOperation(template, 'DELETE', path).operationId).toBe('revokeConsent');
      const { stage: stageName, basePath } = deployments[application];
      expect(properties(template, 'Stage').StageName).toBe(stageName);
      expect(`/${stageName}${path}`).toBe(`${basePath}/users/agreements/{agreementId}/consent`);
    }
  });
});

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
      const { templates } = synthesize(environment, [health, clock]);
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
    Object.keys(ofType('AWS::ApiGateway::Deployment', synthesize('dev', chosen).templates.Sleepcare))[0];

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
    expect(() => synthesize('dev', [one, other])).toThrow('/v1/users/{userId} and /v1/users/{id}');
  });
});
