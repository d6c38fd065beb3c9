import { describe, expect, test } from 'vitest';
import { applications, deployments, environments } from '../../functions/product.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { apiBody, apiOperation, routed } from './api-body.ts';
import { routeDifferences, routesOf } from './route-differences.ts';
import { properties, stage, type Template } from './stage.ts';

const apis = environments.flatMap((environment) =>
  applications.map((application) => ({
    environment,
    application,
    template: stage(environment).templates[logicalId(application)],
  })),
);

test.each(apis)('$environment $application: has its declared operations, and no other', ({ template, ...where }) => {
  const declared = routesOf(where.environment, where.application).map(
    ({ id, route, path }) => `${id}: ${route.method} ${path}`,
  );
  const found = routed(template).map(({ path, method, operation }) => `${operation.operationId}: ${method} ${path}`);
  expect(found.sort()).toEqual(declared.sort());
});

test.each(apis)(
  '$environment $application: each route has its authorizer, key, function and permission, as declared',
  ({ environment, application, template }) => {
    expect(routeDifferences(environment, application, template).join('\n')).toBe('');
  },
);

/**
 * The gateway would answer in its own words, and only the first thing that is wrong. That each function validates all that
 * its route declares, test/architecture/validation.slow.test.ts asks over HTTP.
 */
test.each(apis)('$environment $application: no validator of the gateway’s', ({ template }) => {
  expect(JSON.stringify(apiBody(template))).not.toContain('x-amazon-apigateway-request-validator');
});

test('every fault of any route is listed, by the route and the difference', () => {
  const { Sleepcare } = stage('dev').templates;
  const faults = [
    [/("operationId":"listMessages".*?)"security":\[\{"bearer-token":\[\]\}\],/, '$1'],
    [/("operationId":"setClock".*?),\{"api_key":\[\]\}/, '$1'],
    [/("operationId":"openTicket".*?"timeoutInMillis":)9500/, '$129000'],
    [/("operationId":"readOwnTicket".*?Outputs\.\w+)ReadOwnTicket/, '$1OpenTicket'],
    [/\/de\/GET\/v1\/agent-board\/messages"/, '/de/*"'],
    [/"ListOwnSitesInvocation":/, '"Invocation":'],
    [/"\/v1\/health":/, '"/v1/sickness":'],
  ] as const;
  const withFault = (text: string, [from, to]: (typeof faults)[number]) => {
    expect(text).toMatch(from);
    return text.replace(from, to);
  };
  const faulty = JSON.parse(faults.reduce(withFault, JSON.stringify(Sleepcare))) as Template;
  const anywhere = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<Api>/de/';
  const ofSupport = '<SupportFunctions.Outputs.SleepcareSupport';
  const [own, other] = [`${ofSupport}ReadOwnTicketFunction.Arn>`, `${ofSupport}OpenTicketFunction.Arn>`];
  const bearer = '{"bearer-token":[]}';
  const others = routeDifferences('dev', 'sleepcare', Sleepcare);
  const found = routeDifferences('dev', 'sleepcare', faulty).filter((one) => !others.includes(one));
  expect(found.toSorted()).toEqual([
    `listMessages: permission: SourceArn is "${anywhere}*", and should be "${anywhere}GET/v1/agent-board/messages"`,
    `listMessages: security is absent, and should be [${bearer}]`,
    'listOwnSites: permission: ListOwnSitesInvocation is missing',
    'openTicket: timeoutInMillis is 29000, and should be 9500',
    'readHealth: the API has no GET /v1/health',
    `readOwnTicket: calls ${other}, and should call ReadOwnTicketFunction`,
    `readOwnTicket: permission: FunctionName is "${own}", and should be "${other}"`,
    `setClock: security is [${bearer}], and should be [${bearer},{"api_key":[]}]`,
  ]);
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
