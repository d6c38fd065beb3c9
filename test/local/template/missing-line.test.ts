import { describe, expect, test } from 'vitest';
import { TemplateError } from '../../../lib/local/template/intrinsics.ts';
import { bodyOf, modelAfter, type SmallStage } from './small-stage.ts';

const get = ['paths', '/v1/{id}', 'get'];
const options = ['paths', '/v1/{id}', 'options'];
const integration = 'x-amazon-apigateway-integration';

/** The place in the API's body, and a value for a key of it; undefined takes the key away. */
const inBody = (keys: string[], key: string, value?: unknown) => (stage: SmallStage) => {
  const part = bodyOf(stage, ...keys);
  if (value === undefined) delete part[key];
  else part[key] = value;
};

describe('a missing line', () => {
  const without = (logicalId: string) => (stage: SmallStage) => {
    for (const { Resources } of [stage.State, stage.Api, stage.functions]) delete Resources?.[logicalId];
  };
  const property = (logicalId: string, name: string, value?: unknown) => (stage: SmallStage) => {
    const { Properties = {} } = stage.resources[logicalId] ?? {};
    if (value === undefined) delete Properties[name];
    else Properties[name] = value;
  };

  test.each<[string, (stage: SmallStage) => void, string]>([
    [
      'the function’s permission',
      without('GetPermission'),
      'Api/Rest.Body.paths./v1/{id}.get: no AWS::Lambda::Permission lets API Gateway',
    ],
    [
      'the authorizer’s permission',
      without('AuthorizerPermission'),
      'Api/Rest.Body.components.securitySchemes.bearer: no AWS::Lambda::Permission lets',
    ],
    ['the stage', without('Stage'), 'there is no Stage in Api'],
    ['the authorizer', inBody(['components', 'securitySchemes'], 'bearer'), 'there is no security scheme bearer'],
    ['a metered route’s authorizer', inBody(get, 'security', [{ api_key: [] }]), 'and so an authorizer'],
    ['the API’s body', property('Rest', 'Body'), 'Api/Rest.Body: a value of type object is needed'],
    ['the body’s paths', inBody([], 'paths'), 'Api/Rest.Body.paths: a value of type record is needed'],
    ['a method’s integration', inBody(get, integration), 'get.x-amazon-apigateway-integration: a value of type object'],
    ['a method’s responses', inBody(get, 'responses'), '.get.responses: a value of type record is needed'],
    ['every response', inBody(get, 'responses', {}), '.get: OpenAPI demands a response'],
    ['a path’s parameter', inBody(get, 'parameters'), '.get: its parameters are not those of the path'],
    ['a role', without('ListRole'), 'there is no ListRole in Api/Functions'],
    ['an output of another stack', ({ State }) => delete State.Outputs?.Records, 'State has no output Records'],
    ['a nested stack’s parameter', property('Functions', 'Parameters'), 'the parameter RecordsArn has no value'],
    [
      'a nested stack’s output',
      ({ functions }) => delete functions.Outputs?.ListArn,
      'Api/Functions has no output ListArn',
    ],
    [
      'the key source',
      inBody([], 'x-amazon-apigateway-api-key-source'),
      'needs an API key, whose source must be AUTHORIZER',
    ],
    ['the secret', without('Cursors'), 'State.Outputs.Cursors.Ref: there is no Cursors in State'],
    ['a mock’s response', inBody([...options, 'responses'], '204'), '.options: OpenAPI demands a response'],
    [
      'the response of a mock’s status',
      inBody(options, 'responses', { '200': { description: '' } }),
      '.options: a mock needs a status code',
    ],
    [
      'a mock’s header',
      inBody([...options, 'responses'], '204', { description: '' }),
      '.options: no response declares the header Access-Control-Allow-Origin',
    ],
    ['a bundle', property('List', 'Code', { S3Key: 'other.zip' }), 'the assembly has no asset "other.zip"'],
    ['an operation', ({ resources }) => delete resources.List?.Metadata, 'which is no function with an operation'],
    [
      'an authorizer’s operation',
      ({ resources }) => delete resources.AuthorizerFunction?.Metadata,
      'which is no function with an operation',
    ],
    ['a handler', property('List', 'Handler'), 'Api/Functions/List.Handler: a value of type string is needed'],
    [
      'a plan’s quota',
      property('Plan', 'Quota', { Limit: 1, Period: 'DAY' }),
      'Api/Plan: a usage plan runs on this machine without a quota',
    ],
  ])('%s: %#', (_, change, message) => {
    const refused = () => modelAfter(change);
    expect(refused).toThrow(TemplateError);
    expect(refused).toThrow(message);
  });

  test('a policy or an association that is missing is missing in the model', () => {
    const { principals, functions } = modelAfter(without('ListPolicy'));
    const role = functions.find(({ operation }) => operation === 'list-records')?.roleArn;
    expect(principals.find(({ arn }) => arn === role)?.statements).toHaveLength(1);
    expect(modelAfter(without('Association')).rateLimits[0]?.apiIds).toEqual([]);
    expect(modelAfter(without('PlanKey')).apis[0]?.usagePlans[0]?.keys).toEqual([]);
    expect(modelAfter(property('Key', 'Enabled', false)).apis[0]?.usagePlans[0]?.keys).toEqual([]);
    const noResponses = inBody([], 'x-amazon-apigateway-gateway-responses');
    expect(modelAfter(noResponses).apis[0]?.gatewayResponses).toEqual([]);
    expect(modelAfter(without('Patients')).userPools[0]?.groups).toEqual([]);
  });
});

describe('what would run otherwise than on AWS is refused', () => {
  test.each<[string, (stage: SmallStage) => void, string]>([
    ['a word in an operation', inBody(get, 'securty', []), '.get: securty is not known on this machine'],
    ['a word in the body', inBody([], 'x-amazon-apigateway-polcy', {}), 'Api/Rest.Body: x-amazon-apigateway-polcy is'],
    ['a method', inBody(['paths', '/v1/{id}'], 'gett', {}), './v1/{id}: gett is not known on this machine'],
    [
      'a security policy without its access mode',
      inBody([], 'x-amazon-apigateway-security-policy', 'SecurityPolicy_TLS13_1_3_2025_09'),
      'Api/Rest.Body: SecurityPolicy_TLS13_1_3_2025_09 demands an endpoint access mode',
    ],
    ['an OpenAPI of another version', inBody([], 'openapi', '3.1.0'), 'Api/Rest.Body.openapi: '],
    [
      'another integration',
      inBody(get, integration, { type: 'http_proxy', httpMethod: 'GET', uri: 'https://example.com' }),
      'x-amazon-apigateway-integration',
    ],
    [
      'a function that is called by GET',
      (stage) => Object.assign(bodyOf(stage, ...get, integration), { httpMethod: 'GET' }),
      'x-amazon-apigateway-integration.httpMethod',
    ],
    [
      'a time-out that API Gateway does not have',
      (stage) => Object.assign(bodyOf(stage, ...get, integration), { timeoutInMillis: 40_000 }),
      'x-amazon-apigateway-integration.timeoutInMillis',
    ],
    [
      'two names for a parameter below one path',
      (stage) => {
        const paths = bodyOf(stage, 'paths');
        const parameters = [{ name: 'other', in: 'path', required: true, schema: { type: 'string' } }];
        paths['/v1/{other}/more'] = { get: { ...(bodyOf(stage, ...get) as object), parameters } };
      },
      './v1/{other}/more: below /v1 there is {id} already',
    ],
    [
      'a parameter in a part of a segment',
      (stage) => {
        const paths = bodyOf(stage, 'paths');
        paths['/v1/a{id}'] = paths['/v1/{id}'];
      },
      'a segment is a word or a whole {parameter}',
    ],
    [
      'a method beside the body',
      ({ Api }) => Object.assign(Api.Resources ?? {}, { Extra: { Type: 'AWS::ApiGateway::Method', Properties: {} } }),
      'Api/Extra: an API is defined only by its Body',
    ],
    [
      'a managed policy',
      ({ resources }) => {
        const role = resources.ListRole?.Properties;
        if (role) role.ManagedPolicyArns = ['arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess'];
      },
      'what arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess allows is not known on this machine',
    ],
    [
      'a rule by a forwarded header',
      ({ resources }) => {
        const [rule] = (resources.Firewall?.Properties?.Rules ?? []) as { Statement: unknown }[];
        if (rule) rule.Statement = { RateBasedStatement: { Limit: 100, AggregateKeyType: 'FORWARDED_IP' } };
      },
      'Api/Firewall: the rule by-address must block by IP',
    ],
  ])('%s', (_, change, message) => {
    expect(() => modelAfter(change)).toThrow(message);
  });
});
