import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { get, ref } from './small-parts.ts';
import { modelAfter } from './small-stage.ts';

describe('a template becomes', () => {
  test('functions with just the environment, time-out and code that it gives them', () => {
    const { functions, tables } = modelAfter();
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

  test('topics, with the functions that they call; only AWS sends the e-mails', () => {
    const { topics } = modelAfter(({ State: { Resources } }) => {
      const Properties = { TopicArn: ref('Alarms'), Protocol: 'email', Endpoint: 'somebody@example.com' };
      Object.assign(Resources ?? {}, {
        Alarms: { Type: 'AWS::SNS::Topic' },
        ByEmail: { Type: 'AWS::SNS::Subscription', Properties },
      });
    });
    expect(topics.find(({ logicalId }) => logicalId === 'Alarms')?.subscriptions).toEqual([]);
  });

  test('an API with its paths, authorizer, mocks and answers', () => {
    const { apis, functions, userPools } = modelAfter();
    const arn = (operation: string) => functions.find((fn) => fn.operation === operation)?.arn;
    expect(apis).toHaveLength(1);
    const [api] = apis;
    expect(api).toMatchObject({ name: 'small', stageName: 'de', throttle: { ratePerSecond: 50, burst: 100 } });
    expect(api?.authorizers).toEqual([
      {
        id: 'bearer',
        type: 'TOKEN',
        functionArn: arn('authorizer'),
        identitySource: 'method.request.header.Authorization',
        cacheSeconds: 60,
        timeoutMs: 29_000,
      },
    ]);
    expect(api?.methods).toEqual([
      {
        httpMethod: 'GET',
        path: '/v1/{id}',
        authorizerId: 'bearer',
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
    expect(api?.usagePlans).toEqual([{ throttle: { ratePerSecond: 1.5, burst: 10 }, keys: ['the-key-of-the-tools'] }]);
    expect(userPools).toEqual([
      {
        id: expect.stringMatching(/^eu-central-1_[A-Z0-9]{9}$/),
        arn: expect.stringMatching(/^arn:aws:cognito-idp:eu-central-1:\d{12}:userpool\/eu-central-1_[A-Z0-9]{9}$/),
        name: 'users',
        clients: [
          {
            id: expect.stringMatching(/^[a-z0-9]{26}$/),
            name: 'mobile-app',
            authFlows: [],
            accessSeconds: 3600,
            refreshSeconds: 2_592_000,
            rotationGraceSeconds: null,
            sessionSeconds: 180,
            preventsExistenceErrors: false,
            revokesTokens: true,
          },
        ],
        groups: ['patient'],
        secondFactor: 'OFF',
        signsInByEmail: false,
        passwordPolicy: {
          minimumLength: 8,
          needsUppercase: true,
          needsLowercase: true,
          needsNumbers: true,
          needsSymbols: true,
          temporaryDays: 7,
        },
        tokenTrigger: null,
      },
    ]);
  });

  describe('an API that calls an alias', () => {
    const released = (permitted: string) =>
      modelAfter(({ functions, Api }) => {
        const { Resources = {} } = functions;
        Object.assign(Resources, {
          ListVersion1a2b: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: ref('List') } },
          ListLive: {
            Type: 'AWS::Lambda::Alias',
            Properties: {
              Name: 'live',
              FunctionName: ref('List'),
              FunctionVersion: get('ListVersion1a2b', 'Version'),
            },
          },
        });
        Object.assign(functions, {
          Outputs: { ListArn: { Value: ref('ListLive') }, Unaliased: { Value: get('List', 'Arn') } },
        });
        const { GetPermission } = Api.Resources ?? {};
        Object.assign(GetPermission?.Properties ?? {}, { FunctionName: get('Functions', `Outputs.${permitted}`) });
      });

    test('and may: with its function behind it', () => {
      const { apis, functions } = released('ListArn');
      const list = functions.find(({ operation }) => operation === 'list-records');
      expect(apis[0]?.methods[0]?.integration).toMatchObject({ type: 'lambda', functionArn: list?.arn });
    });

    test('and may call only the function: nothing, as on AWS', () => {
      expect(() => released('Unaliased')).toThrow(/lets API Gateway invoke arn:.*:live for it/);
    });
  });

  test('the firewall’s rule, over the APIs that it is associated with', () => {
    const { apis, rateLimits } = modelAfter();
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
    const { tables, principals, functions } = modelAfter();
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
    const ids = ({ apis, userPools, tables, functions }: ReturnType<typeof modelAfter>) =>
      JSON.stringify([apis, userPools, tables, functions.map(({ arn, roleArn }) => [arn, roleArn])]);
    expect(ids(modelAfter())).toBe(ids(modelAfter()));
  });
});
