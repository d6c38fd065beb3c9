import { describe, expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { errorBody } from '../../lib/contract/errors.ts';
import { errorOf } from '../declared.ts';
import { anyMethod, apiBody, routed } from './api-body.ts';
import { readable } from './readable.ts';
import { ofType, properties, resource, stage } from './stage.ts';

const apis = ['Sleepcare', 'Medinfo'] as const;
const { Sleepcare, Medinfo } = stage('dev').templates;

test.each([
  ['Sleepcare', 'de'],
  ['Medinfo', 'v2'],
] as const)('%s is Regional, takes keys from the authorizer, and has the stage %s', (name, stageName) => {
  const template = stage('dev').templates[name];
  expect(properties(template, 'Api')).toMatchObject({
    EndpointConfiguration: { Types: ['REGIONAL'] },
    Parameters: { endpointConfigurationTypes: 'REGIONAL', ignore: 'documentation' },
    ApiKeySourceType: 'AUTHORIZER',
    Body: { openapi: '3.0.1', 'x-amazon-apigateway-api-key-source': 'AUTHORIZER' },
    FailOnWarnings: true,
  });
  expect(properties(template, 'Stage').StageName).toBe(stageName);
  const basePath = name === 'Sleepcare' ? '/de/v1' : '/v2';
  expect(readable(template?.Outputs?.BaseAddress)).toEqual({
    Value: `https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>${basePath}`,
  });
});

test('one authorizer on the Authorization header, its answer kept for a minute', () => {
  for (const template of [Sleepcare, Medinfo]) {
    expect(apiBody(template).components.securitySchemes).toEqual({
      'bearer-token': {
        type: 'apiKey',
        name: 'Authorization',
        in: 'header',
        'x-amazon-apigateway-authtype': 'custom',
        'x-amazon-apigateway-authorizer': {
          type: 'token',
          authorizerUri: expect.stringContaining('functions/<AuthorizerFunction.Arn>/invocations'),
          authorizerResultTtlInSeconds: 60,
        },
      },
      api_key: { type: 'apiKey', name: 'x-api-key', in: 'header' },
    });
    expect(properties(template, 'AuthorizerInvocation').SourceArn).toMatch(/:<Api>\/authorizers\/\*$/);
  }
});

describe('every path', () => {
  const all = environments.flatMap((environment) =>
    apis.map((name) => ({ environment, name, paths: apiBody(stage(environment).templates[name]).paths })),
  );

  test.each(all)('$environment $name: answers the preflight with 204 and the CORS headers', ({ paths }) => {
    for (const [path, { options }] of Object.entries(paths)) {
      expect(options, path).toMatchObject({
        'x-amazon-apigateway-integration': {
          type: 'mock',
          requestTemplates: { 'application/json': '{"statusCode":204}' },
          responses: {
            default: {
              statusCode: '204',
              responseParameters: {
                'method.response.header.Access-Control-Allow-Origin': "'*'",
                'method.response.header.Access-Control-Allow-Methods': "'GET, POST, PUT, PATCH, DELETE, OPTIONS'",
                'method.response.header.Access-Control-Allow-Headers':
                  "'Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, X-Request-Id'",
                'method.response.header.Access-Control-Expose-Headers': "'X-Request-Id, ETag, Retry-After'",
                'method.response.header.Access-Control-Max-Age': "'86400'",
              },
            },
          },
        },
      });
      expect(options?.security, path).toBeUndefined();
      // API Gateway refuses a mapped header that the response does not declare.
      const mapped = options?.['x-amazon-apigateway-integration'].responses?.default.responseParameters ?? {};
      const declared = Object.keys(options?.responses['204']?.headers ?? {});
      expect(declared.map((header) => `method.response.header.${header}`)).toEqual(Object.keys(mapped));
    }
  });

  test.each(all)('$environment $name: answers any other method with our 404, without a token', ({ paths }) => {
    for (const [path, { [anyMethod]: any }] of Object.entries(paths)) {
      expect(any?.['x-amazon-apigateway-integration'], path).toEqual({
        type: 'aws_proxy',
        httpMethod: 'POST',
        uri: expect.stringContaining('<RouteNotFoundFunction.Arn>'),
      });
      expect(any?.security, path).toBeUndefined();
    }
  });

  test.each(all)('$environment $name: is there with every path on the way to it, and the unknown ones', ({ paths }) => {
    const found = Object.keys(paths);
    const parents = found.map((path) => path.slice(0, path.lastIndexOf('/')) || '/');
    expect(found).toEqual(expect.arrayContaining([...parents, '/{proxy+}']));
  });

  test.each(all)('$environment $name: declares its parameters in each operation', ({ paths }) => {
    for (const [path, operations] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
      for (const [method, { parameters = [] }] of Object.entries(operations)) {
        const expected = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
        expect(parameters, `${method} ${path}`).toEqual(expected);
      }
    }
  });
});

describe('what the gateway answers by itself', () => {
  const expected: [type: string, status: string | undefined, code: string, retryAfter?: string][] = [
    ['DEFAULT_4XX', undefined, 'VALIDATION_FAILED'],
    ['DEFAULT_5XX', '500', 'INTERNAL'],
    ['ACCESS_DENIED', '403', 'FORBIDDEN'],
    ['API_CONFIGURATION_ERROR', '500', 'INTERNAL'],
    ['AUTHORIZER_CONFIGURATION_ERROR', '503', 'UNAVAILABLE', '5'],
    ['AUTHORIZER_FAILURE', '503', 'UNAVAILABLE', '5'],
    ['BAD_REQUEST_BODY', '400', 'VALIDATION_FAILED'],
    ['BAD_REQUEST_PARAMETERS', '400', 'VALIDATION_FAILED'],
    ['EXPIRED_TOKEN', '404', 'ROUTE_NOT_FOUND'],
    ['INTEGRATION_FAILURE', '500', 'INTERNAL'],
    ['INTEGRATION_TIMEOUT', '504', 'TIMEOUT'],
    ['INVALID_API_KEY', '500', 'INTERNAL'],
    ['INVALID_SIGNATURE', '404', 'ROUTE_NOT_FOUND'],
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'ROUTE_NOT_FOUND'],
    ['QUOTA_EXCEEDED', '429', 'RATE_LIMITED', '60'],
    ['REQUEST_TOO_LARGE', '413', 'PAYLOAD_TOO_LARGE'],
    ['RESOURCE_NOT_FOUND', '404', 'ROUTE_NOT_FOUND'],
    ['THROTTLED', '429', 'RATE_LIMITED', '60'],
    ['UNAUTHORIZED', '401', 'UNAUTHENTICATED'],
    ['UNSUPPORTED_MEDIA_TYPE', '400', 'UNSUPPORTED_CONTENT_TYPE'],
    ['WAF_FILTERED', '403', 'FORBIDDEN'],
  ];
  const found = new Map(Object.entries(apiBody(Sleepcare)['x-amazon-apigateway-gateway-responses']));

  test('every type is declared, in both APIs', () => {
    expect([...found.keys()].sort()).toEqual(expected.map(([type]) => type).sort());
    expect(apiBody(Medinfo)['x-amazon-apigateway-gateway-responses']).toEqual(Object.fromEntries(found));
  });

  test.each(expected)('%s: %s %s', (type, status, code, retryAfter) => {
    const { statusCode, responseParameters = {}, responseTemplates = {} } = found.get(type) ?? {};
    expect(statusCode).toBe(status);
    const body = JSON.parse(responseTemplates['application/json'] ?? '') as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(['code', 'message', 'detail']);
    expect(body).toEqual(
      code === 'VALIDATION_FAILED' ? errorBody(ValidationFailed, { issues: [] }) : errorBody(errorOf(code)),
    );
    expect(responseParameters).toEqual({
      'gatewayresponse.header.Content-Type': "'application/json; charset=utf-8'",
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Access-Control-Expose-Headers': "'X-Request-Id, ETag, Retry-After'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000; includeSubDomains'",
      'gatewayresponse.header.Content-Security-Policy':
        "'default-src; object-src; base-uri; form-action; frame-ancestors'",
      'gatewayresponse.header.Referrer-Policy': "'no-referrer'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.Cross-Origin-Opener-Policy': "'same-origin'",
      'gatewayresponse.header.Cross-Origin-Resource-Policy': "'same-origin'",
      ...(retryAfter && { 'gatewayresponse.header.Retry-After': `'${retryAfter}'` }),
    });
  });

  test('no body holds what API Gateway’s template language would run', () => {
    for (const { responseTemplates } of found.values()) {
      expect(responseTemplates['application/json']).not.toMatch(/[$#]/);
    }
  });
});

describe('the limits', () => {
  test.each(environments)('%s: everyone’s backstop is the stage’s throttle', (environment) => {
    const { ratePerSecond, burst } = settings[environment].stageThrottle;
    for (const name of apis) {
      expect(properties(stage(environment).templates[name], 'Stage').MethodSettings).toEqual([
        {
          HttpMethod: '*',
          ResourcePath: '/*',
          ThrottlingRateLimit: ratePerSecond,
          ThrottlingBurstLimit: burst,
          LoggingLevel: 'OFF',
          DataTraceEnabled: false,
          MetricsEnabled: false,
        },
      ]);
    }
  });

  test('a usage plan of 100 a minute, a bucket for each integration client', () => {
    expect(properties(Sleepcare, 'UsagePlan')).toMatchObject({
      Throttle: { RateLimit: 100 / 60, BurstLimit: 10 },
      ApiStages: [{ ApiId: '<Api>', Stage: '<Stage>' }],
    });
    expect(properties(Sleepcare, 'UsagePlan').Quota).toBeUndefined();
    const inPlan = Object.values(ofType('AWS::ApiGateway::UsagePlanKey', Sleepcare)).map(
      ({ Properties }) => Properties,
    );
    const keys = Object.keys(ofType('AWS::ApiGateway::ApiKey', Sleepcare));
    expect(inPlan.map(({ KeyId }) => KeyId)).toEqual(keys.map((Ref) => ({ Ref })));
  });

  test.each(environments)('%s: the key of the app, which all its users share, is under no limit', (environment) => {
    for (const name of apis) {
      const template = stage(environment).templates[name];
      const plans = ofType('AWS::ApiGateway::UsagePlan', template);
      const keysIn = (plan: string) =>
        Object.values(ofType('AWS::ApiGateway::UsagePlanKey', template)).flatMap(({ Properties }) => {
          const { UsagePlanId, KeyId } = Properties as Record<string, { Ref: string }>;
          return UsagePlanId?.Ref === plan ? [KeyId?.Ref] : [];
        });
      const limited = Object.entries(plans).filter(([, { Properties }]) => Properties.Throttle || Properties.Quota);
      expect(limited.map(([id]) => id)).toEqual(['UsagePlan']);
      expect(keysIn('UsagePlan')).not.toContain('MobileAppKey');
      expect(keysIn('AppUsagePlan')).toEqual(['MobileAppKey']);
      expect(properties(template, 'AppUsagePlan').ApiStages).toEqual([{ ApiId: '<Api>', Stage: '<Stage>' }]);
    }
  });

  test('key values are long enough, and unique in an account that has all environments', () => {
    const values = environments.flatMap((environment) =>
      apis.flatMap((name) =>
        Object.values(ofType('AWS::ApiGateway::ApiKey', stage(environment).templates[name])).map(
          ({ Properties }) => Properties.Value as string,
        ),
      ),
    );
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(value).toMatch(/^mobile-health-[a-z-]{6,}$/);
    expect(Math.min(...values.map(({ length }) => length))).toBeGreaterThanOrEqual(20);
  });

  test('both stages stand behind the one web ACL', () => {
    for (const template of [Sleepcare, Medinfo]) {
      expect(properties(template, 'WebAclAssociation')).toEqual({
        WebACLArn: '<State:WebAcl.Arn>',
        ResourceArn: 'arn:<AWS::Partition>:apigateway:<AWS::Region>::/restapis/<Api>/stages/<Stage>',
      });
    }
  });
});

describe('the stage', () => {
  test('logs each access as JSON that points to no person', () => {
    const { AccessLogSetting, TracingEnabled } = properties(Sleepcare, 'Stage') as {
      AccessLogSetting: { Format: string; DestinationArn: string };
      TracingEnabled: boolean;
    };
    expect(TracingEnabled).toBe(false);
    expect(AccessLogSetting.DestinationArn).toMatch(/:log-group:<AccessLogs>$/);
    const used = Object.values(JSON.parse(AccessLogSetting.Format) as Record<string, string>);
    expect(used).toContain('$context.extendedRequestId');
    expect(used).toContain('$context.status');
    for (const variable of used) {
      expect(variable).not.toMatch(/identity|sourceIp|caller|userAgent|principalId|claims|\.path$|error\.message/);
    }
    expect(properties(Sleepcare, 'AccessLogs').KmsKeyId).toBe('<State:Key.Arn>');
  });

  test('is deployed by what the definition is, and after everything may be called', () => {
    for (const template of [Sleepcare, Medinfo]) {
      const [id = ''] = Object.keys(ofType('AWS::ApiGateway::Deployment', template));
      expect(properties(template, 'Stage').DeploymentId).toBe(`<${id}>`);
      expect(properties(template, id)).toEqual({ RestApiId: '<Api>' });
      const permissions = Object.keys(ofType('AWS::Lambda::Permission', template));
      // The authorizer, what answers where there is no route, and the user pool's trigger.
      expect(permissions.length).toBe(routed(template).length + 3);
      expect(resource(template, 'Stage').DependsOn?.sort()).toEqual(permissions.sort());
    }
  });
});
