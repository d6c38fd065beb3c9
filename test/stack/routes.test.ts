import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Operation, operations } from '../../functions/domains.ts';
import { applications, deployments, environments } from '../../lib/contract/deployments.ts';
import { existsIn, type Method, pathParameters, route } from '../../lib/contract/route.ts';
import { logicalId, pathId } from '../../lib/stack/names.ts';
import { ofType, properties, stage, synthesize } from './stage.ts';

const api = (application: string) => stage('dev').templates[logicalId(application)];

describe('a declared route', () => {
  test.each(operations.map(({ id, route: declared }) => ({ id, declared })))(
    '$id has its method',
    ({ id, declared }) => {
      for (const application of applications.filter((one) => existsIn(declared, 'dev', one))) {
        const path = `${deployments[application].prefix}${declared.path}`;
        const method = properties(api(application), `${pathId(path)}${logicalId(declared.method.toLowerCase())}`);
        expect(method).toMatchObject({
          HttpMethod: declared.method,
          ResourceId: `<${pathId(path)}Path>`,
          OperationName: id,
          Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', TimeoutInMillis: 9500 },
          ...(declared.auth === 'public'
            ? { AuthorizationType: 'NONE' }
            : { AuthorizationType: 'CUSTOM', AuthorizerId: '<Authorizer>' }),
        });
        const inPath = Object.keys(method.RequestParameters as object).filter((name) => name.includes('.path.'));
        expect(inPath).toEqual(pathParameters(declared.path).map((name) => `method.request.path.${name}`));
      }
    },
  );

  test('is reached under the base address', () => {
    const template = api('sleepcare');
    const segments = [];
    let at = 'V1UsersAgreementsByAgreementIdConsentPath';
    while (at !== 'Api') {
      const { PathPart, ParentId } = properties(template, at) as { PathPart: string; ParentId: string };
      segments.unshift(PathPart);
      at = ParentId.replace(/^<(.*?)(\.RootResourceId)?>$/, '$1');
    }
    expect(segments.join('/')).toBe('v1/users/agreements/{agreementId}/consent');
  });

  test('declares its query and headers, a collection its paging', () => {
    expect(properties(api('medinfo'), 'UsersAgreementsGet').RequestParameters).toEqual({
      'method.request.querystring.locale': false,
      'method.request.querystring.limit': false,
      'method.request.querystring.cursor': false,
      'method.request.header.Accept-Language': false,
    });
  });
});

describe('declarations of other kinds', () => {
  const probe = (id: string, method: Method, path: `/${string}`, more: object): Operation => ({
    id,
    domain: 'probe',
    file: `functions/probe/${id}.ts`,
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
  const clock = probe('setClock', 'PUT', '/clock', { auth: 'time-machine:use', environments: ['dev', 'staging'] });

  test.each(environments)(
    '%s: a public route needs no token, a metered one a key, and what is not here is nowhere',
    (environment) => {
      const { templates } = synthesize(environment, [health, clock]);
      expect(properties(templates.Sleepcare, 'V1HealthGet')).toMatchObject({
        AuthorizationType: 'NONE',
        ApiKeyRequired: false,
      });
      if (environment === 'prod') {
        expect(JSON.stringify(templates)).not.toMatch(/SetClock|set-clock/);
      } else {
        expect(properties(templates.Sleepcare, 'V1ClockPut')).toMatchObject({
          AuthorizationType: 'CUSTOM',
          ApiKeyRequired: true,
        });
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
      [probe('getHealth', 'GET', '/health', { auth: 'profile:read-own' })],
      [probe('getHealth', 'GET', '/health', { query: z.object({ deep: z.optional(z.string()) }) })],
      [probe('getHealth', 'GET', '/healthy', {})],
      [],
    ];
    const ids = changed.map((operationsThen) => deploymentOf(...operationsThen));
    expect(new Set([once, ...ids]).size).toBe(changed.length + 1);
  });

  test('two names for one path parameter are refused, as API Gateway would at the deployment', () => {
    const one = probe('getUser', 'GET', '/users/{userId}', {});
    const other = probe('deleteUser', 'DELETE', '/users/{id}', {});
    expect(() => synthesize('dev', [one, other])).toThrow('/v1/users/{userId} and /v1/users/{id}');
  });
});
