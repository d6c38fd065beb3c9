import { describe, expect, test } from 'vitest';
import type { GatewayResponseModel } from '../../../lib/local/model.ts';
import { api, authorized, failure, gatewayResponse, method, policy, stage, testGateway } from './gateway.ts';

const bearer = { headers: { Authorization: 'Bearer a' } };

/** Provokes each type once. */
const provoke = async (gatewayResponses: GatewayResponseModel[]) => {
  const methods = [
    ...['malformed', 'crash', 'slow'].map((name) => method('GET', `/${name}`, name)),
    method('POST', '/echo', 'echo'),
    ...['denied', 'unauthorized', 'failure', 'configuration'].map((name) =>
      method('GET', `/${name}`, 'echo', authorized),
    ),
    method('GET', '/key', 'echo', { ...authorized, apiKeyRequired: true }),
    method('GET', '/throttled', 'echo', { ...authorized, apiKeyRequired: true }),
  ].map((item) => (item.path === '/slow' ? { ...item, integration: { ...item.integration, timeoutMs: 50 } } : item));
  const usagePlans = [{ throttle: { ratePerSecond: 0, burst: 0 }, keys: ['known'] }];
  const model = stage([api({ methods, gatewayResponses, usagePlans } as Parameters<typeof api>[0])]);
  const gateway = await testGateway(model, {
    malformed: () => ({ statusCode: 200, body: {} }),
    crash: () => failure('crash', 'exit status 1'),
    slow: () => new Promise(() => {}),
    authorizer: ({ methodArn }) => {
      const path = String(methodArn).split('/').at(-1);
      if (path === 'unauthorized') return failure('error', 'Unauthorized');
      if (path === 'failure') return failure('error', 'keys cannot be fetched');
      if (path === 'configuration') return { principalId: 'x' };
      const usageIdentifierKey = path === 'throttled' ? 'known' : 'unknown';
      return policy(path === 'denied' ? 'Deny' : 'Allow', '*', { usageIdentifierKey });
    },
  });
  const get = async (path: string, init: RequestInit = bearer) => {
    // Each path has a token of its own, as results are cached.
    const headers = { ...init.headers, ...(init === bearer && { Authorization: `Bearer ${path}` }) };
    const response = await gateway.fetch(`/de${path}`, { ...init, headers });
    return { response, status: response.status, text: await response.text() };
  };
  const answers = {
    MISSING_AUTHENTICATION_TOKEN: await get('/nowhere'),
    ACCESS_DENIED: await get('/denied'),
    UNAUTHORIZED: await get('/unauthorized'),
    AUTHORIZER_FAILURE: await get('/failure'),
    AUTHORIZER_CONFIGURATION_ERROR: await get('/configuration'),
    INVALID_API_KEY: await get('/key'),
    THROTTLED: await get('/throttled'),
    REQUEST_TOO_LARGE: await get('/echo', { method: 'POST', body: 'x'.repeat(10 * 1024 * 1024 + 1) }),
    API_CONFIGURATION_ERROR: await get('/malformed'),
    INTEGRATION_FAILURE: await get('/crash'),
    INTEGRATION_TIMEOUT: await get('/slow'),
  };
  return { gateway, answers, types: Object.keys(answers) as (keyof typeof answers)[] };
};

describe('every type that can be provoked', () => {
  test('undeclared: AWS’s own status, message and exception', async () => {
    const { gateway, answers, types } = await provoke([]);
    await using _ = gateway;
    expect(
      Object.fromEntries(types.map((type) => [type, [answers[type].status, JSON.parse(answers[type].text).message]])),
    ).toEqual({
      MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
      ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
      UNAUTHORIZED: [401, 'Unauthorized'],
      AUTHORIZER_FAILURE: [500, 'Internal server error'],
      AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
      INVALID_API_KEY: [403, 'Forbidden'],
      THROTTLED: [429, 'Too Many Requests'],
      REQUEST_TOO_LARGE: [413, 'Request Too Long'],
      API_CONFIGURATION_ERROR: [502, 'Internal server error'],
      INTEGRATION_FAILURE: [502, 'Internal server error'],
      INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
    });
    expect(gateway.entries.map((entry) => entry.gatewayResponse)).toEqual(types);
    expect(gateway.entries.every((entry) => entry.error !== null)).toBe(true);
    expect(answers.UNAUTHORIZED.response.headers.get('x-amzn-errortype')).toBe('UnauthorizedException');
  });

  test('declared: the template’s status, headers and body, and no trace of the cause', async () => {
    const { types } = await provoke([]);
    const declared = types.map((type, index) =>
      gatewayResponse(type, 430 + index, `C_${type}`, { headers: { 'X-Type': type } }),
    );
    const { gateway, answers } = await provoke(declared);
    await using _ = gateway;
    for (const [index, type] of types.entries()) {
      const { response, status, text } = answers[type];
      expect([type, status, response.headers.get('x-type')]).toEqual([type, 430 + index, type]);
      expect(JSON.parse(text)).toEqual({ code: `C_${type}`, message: 'm', detail: null });
      expect(response.headers.get('content-type')).toBe('application/json');
    }
  });

  test('undeclared with defaults: DEFAULT_5XX takes the class over, DEFAULT_4XX without a status keeps each', async () => {
    const { gateway, answers, types } = await provoke([
      gatewayResponse('DEFAULT_4XX', null, 'FOUR'),
      gatewayResponse('DEFAULT_5XX', 500, 'FIVE'),
    ]);
    await using _ = gateway;
    const seen = types.map((type) => `${answers[type].status} ${JSON.parse(answers[type].text).code}`);
    expect(new Set(seen)).toEqual(new Set(['403 FOUR', '401 FOUR', '429 FOUR', '413 FOUR', '500 FIVE']));
  });
});

test('a template’s variables are put in, escaped for JSON', async () => {
  const body =
    '{"message":$context.error.messageString,"id":"$context.extendedRequestId","path":"$context.path","agent":"$context.identity.userAgent","none":"$context.none","type":"$context.error.responseType."}';
  await using gateway = await testGateway(
    stage([api({ gatewayResponses: [{ ...gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 404, ''), body }] })]),
  );
  const response = await gateway.fetch('/de/none', { headers: { 'User-Agent': 'a"b\\' } });
  expect([response.status, await response.json()]).toEqual([
    404,
    {
      message: 'Missing Authentication Token',
      id: response.headers.get('x-amz-apigw-id'),
      path: '/de/none',
      agent: 'a"b\\',
      none: '',
      type: 'MISSING_AUTHENTICATION_TOKEN.',
    },
  ]);
});
