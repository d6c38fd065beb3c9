import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TemplateError } from '../../../lib/local/template/intrinsics.ts';
import { readStageModel } from '../../../lib/local/template/stage-model.ts';
import { assembly } from './assembly.ts';
import { type SmallStage, smallStage } from './small-stage.ts';

function model(change: (stage: SmallStage) => void = () => undefined) {
  const stage = smallStage();
  change(stage);
  return readStageModel(
    assembly({ State: stage.State, Api: stage.Api }, { 'code.zip': 'asset.code', 'functions.json': stage.functions }),
  );
}

describe('a template becomes', () => {
  const stage = () => model();

  test('functions with just the environment, time-out and code that it gives them', () => {
    const { functions, tables } = stage();
    expect(functions.map(({ operation }) => operation).sort()).toEqual(['authorizer', 'list-records']);
    const list = functions.find(({ operation }) => operation === 'list-records');
    expect(list).toMatchObject({ handler: 'index.handler', timeoutMs: 10_000, memoryMb: 1024 });
    expect(list?.environment).toEqual({
      RECORDS_TABLE: tables[0]?.name,
      CURSOR_KEY: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    });
    expect(basename(list?.codeDir ?? '')).toBe('asset.code');
    // Lambda's own defaults, where the template says nothing.
    expect(functions.find(({ operation }) => operation === 'authorizer')).toMatchObject({
      timeoutMs: 3000,
      memoryMb: 128,
    });
  });

  test('an API with its paths, authorizer, mocks and answers', () => {
    const { apis, functions, userPools } = stage();
    const arn = (operation: string) => functions.find((fn) => fn.operation === operation)?.arn;
    expect(apis).toHaveLength(1);
    const [api] = apis;
    expect(api).toMatchObject({ name: 'small', stageName: 'de', throttle: { ratePerSecond: 50, burst: 100 } });
    expect(api?.authorizers).toEqual([
      {
        id: expect.any(String),
        type: 'TOKEN',
        functionArn: arn('authorizer'),
        identitySource: 'method.request.header.Authorization',
        cacheSeconds: 60,
      },
    ]);
    expect(api?.methods).toEqual([
      {
        httpMethod: 'GET',
        path: '/v1/{id}',
        authorizerId: api?.authorizers[0]?.id,
        apiKeyRequired: true,
        integration: { type: 'lambda', functionArn: arn('list-records'), timeoutMs: 9500 },
      },
      {
        httpMethod: 'OPTIONS',
        path: '/v1/{id}',
        authorizerId: null,
        apiKeyRequired: false,
        integration: { type: 'mock', status: 204, headers: { 'Access-Control-Allow-Origin': '*' }, body: '' },
      },
    ]);
    expect(api?.gatewayResponses).toEqual([
      {
        responseType: 'MISSING_AUTHENTICATION_TOKEN',
        statusCode: 404,
        headers: { 'Cache-Control': 'no-store' },
        body: '{"code":"ROUTE_NOT_FOUND"}',
      },
    ]);
    expect(api?.usagePlans).toEqual([{ ratePerSecond: 1.5, burst: 10, keys: ['the-key-of-the-tools'] }]);
    expect(userPools).toEqual([
      {
        id: expect.stringMatching(/^eu-central-1_[A-Z0-9]{9}$/),
        name: 'users',
        clients: [{ id: expect.stringMatching(/^[a-z0-9]{26}$/), name: 'mobile-app' }],
        groups: ['patient'],
      },
    ]);
  });

  test('the firewall’s rule, over the APIs that it is associated with', () => {
    const { apis, rateLimits } = stage();
    expect(rateLimits).toEqual([
      {
        limit: 100,
        windowSeconds: 60,
        apiIds: [apis[0]?.id],
        block: {
          status: 429,
          headers: { 'Retry-After': '60', 'Content-Type': 'application/json' },
          body: '{"code":"RATE_LIMITED"}',
        },
      },
    ]);
  });

  test('tables as CreateTable takes them, and the policies on both sides', () => {
    const { tables, principals, functions } = stage();
    const [table] = tables;
    expect(table?.definition).toEqual({
      TableName: table?.name,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    expect(table?.timeToLiveAttribute).toBe('expiresAt');
    expect(table?.policy).toEqual([{ Effect: 'Deny', Principal: '*', Action: 'dynamodb:DeleteItem', Resource: '*' }]);
    const role = functions.find(({ operation }) => operation === 'list-records')?.roleArn;
    expect(principals.find(({ arn }) => arn === role)?.statements).toEqual([
      { Effect: 'Allow', Action: 'dynamodb:Query', Resource: table?.arn },
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: table?.arn },
    ]);
  });

  test('the same ids at every start', () => {
    const ids = ({ apis, userPools, tables, functions }: ReturnType<typeof model>) =>
      JSON.stringify([apis, userPools, tables, functions.map(({ arn, roleArn }) => [arn, roleArn])]);
    expect(ids(stage())).toBe(ids(stage()));
  });
});

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
      'Api/RecordGet: no AWS::Lambda::Permission lets API Gateway',
    ],
    ['the authorizer’s permission', without('AuthorizerPermission'), 'Api/Authorizer: no AWS::Lambda::Permission lets'],
    ['the stage', without('Stage'), 'there is no Stage in Api'],
    ['the authorizer', without('Authorizer'), 'there is no Authorizer in Api'],
    ['a method’s authorizer', property('RecordGet', 'AuthorizerId'), 'CUSTOM without an AuthorizerId'],
    ['a role', without('ListRole'), 'there is no ListRole in Api/Functions'],
    ['a resource of the path', without('V1'), 'Api/Record.ParentId.Ref: there is no V1 in Api'],
    ['an output of another stack', ({ State }) => delete State.Outputs?.Records, 'State has no output Records'],
    ['a nested stack’s parameter', property('Functions', 'Parameters'), 'the parameter RecordsArn has no value'],
    [
      'a nested stack’s output',
      ({ functions }) => delete functions.Outputs?.ListArn,
      'Api/Functions has no output ListArn',
    ],
    ['the key source', property('Rest', 'ApiKeySourceType'), 'needs an API key, whose source must be AUTHORIZER'],
    ['the secret', without('Cursors'), 'State.Outputs.Cursors.Ref: there is no Cursors in State'],
    ['a mock’s method response', property('RecordOptions', 'MethodResponses'), 'Api/RecordOptions: a mock needs'],
    ['a bundle', property('List', 'Code', { S3Key: 'other.zip' }), 'the assembly has no asset "other.zip"'],
    ['an operation', ({ resources }) => delete resources.List?.Metadata, 'which is no function with an operation'],
    ['a handler', property('List', 'Handler'), 'Api/Functions/List.Handler: a value of type string is needed'],
    [
      'the plan’s throttle',
      property('Plan', 'Throttle'),
      'Api/Plan: a usage plan runs on this machine with a throttle',
    ],
  ])('%s: %#', (_, change, message) => {
    const refused = () => model(change);
    expect(refused).toThrow(TemplateError);
    expect(refused).toThrow(message);
  });

  test('a policy or an association that is missing is missing in the model', () => {
    const { principals, functions } = model(without('ListPolicy'));
    const role = functions.find(({ operation }) => operation === 'list-records')?.roleArn;
    expect(principals.find(({ arn }) => arn === role)?.statements).toHaveLength(1);
    expect(model(without('Association')).rateLimits[0]?.apiIds).toEqual([]);
    expect(model(without('PlanKey')).apis[0]?.usagePlans[0]?.keys).toEqual([]);
    expect(model(property('Key', 'Enabled', false)).apis[0]?.usagePlans[0]?.keys).toEqual([]);
    expect(model(without('NotFound')).apis[0]?.gatewayResponses).toEqual([]);
    expect(model(without('Patients')).userPools[0]?.groups).toEqual([]);
  });
});

describe('what would run otherwise than on AWS is refused', () => {
  const method = (Properties: Record<string, unknown>) => (stage: SmallStage) => {
    Object.assign(stage.resources.RecordGet?.Properties ?? {}, Properties);
  };
  test.each<[string, (stage: SmallStage) => void, string]>([
    ['IAM authorization', method({ AuthorizationType: 'AWS_IAM' }), 'the authorization AWS_IAM does not run here'],
    ['another integration', method({ Integration: { Type: 'HTTP' } }), 'an integration of type HTTP does not run'],
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
    expect(() => model(change)).toThrow(message);
  });
});
