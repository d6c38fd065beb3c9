import { describe, expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';
import { type Application, applications, deployments, environments } from '../../lib/contract/deployments.ts';
import { existsIn, isMetered, pathParameters } from '../../lib/contract/route.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { settings } from '../../lib/stack/settings.ts';
import { apiBody, apiOperation, routed } from './api-body.ts';
import { properties, stage } from './stage.ts';

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
   * its route declares, test/house/validation.slow.test.ts asks over HTTP.
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
    '$application $id: may be called only for its stage, method and path',
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
