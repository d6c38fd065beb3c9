import { describe, expect, test } from 'vitest';
import type { AuthorizerModel } from '../../../lib/local/model.ts';
import { eventually } from '../../eventually.ts';
import { api, arnOf, authorized, failure, method, policy, stage, testGateway } from './gateway.ts';

const prefix = 'arn:aws:execute-api:eu-central-1:111122223333:sleep/de';
const methods = ['/v1/a', '/v1/b', '/v1/c/{id}'].map((path) => method('GET', path, 'echo', authorized));
const withAuthorizer = (more: Partial<AuthorizerModel> = {}) =>
  api({ methods, authorizers: api().authorizers.map((model) => ({ ...model, ...more })) });
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

test('the event names the type, the token and the method’s ARN as it was called', async () => {
  await using gateway = await testGateway(stage([withAuthorizer()]), { authorizer: () => policy('Allow', '*') });
  await gateway.fetch('/de/v1/c/x%20y?q=1', bearer('t'));
  expect(gateway.calls[0]?.event).toEqual({
    type: 'TOKEN',
    methodArn: `${prefix}/GET/v1/c/x%20y`,
    authorizationToken: 'Bearer t',
  });
});

test.each([[{}], [{ Authorization: '' }], [{ Authorization: '  ' }]])(
  'without a token (%j): 401, nobody is asked',
  async (headers) => {
    await using gateway = await testGateway(stage([withAuthorizer()]));
    expect((await gateway.fetch('/de/v1/a', { headers } as RequestInit)).status).toBe(401);
    expect(gateway.calls).toEqual([]);
  },
);

test('what has no authorizer needs no token, and one that is not in the template is a configuration error', async () => {
  const open = [method('GET', '/open', 'echo'), method('GET', '/lost', 'echo', { authorizerId: 'gone' })];
  await using gateway = await testGateway(stage([api({ methods: open })]));
  expect((await gateway.fetch('/de/open')).status).toBe(200);
  expect((await gateway.fetch('/de/lost', bearer('t'))).status).toBe(500);
});

describe('the cache', () => {
  test('keeps a result for its seconds, for each token, and evaluates it for each route', async () => {
    let time = 1000;
    const authorizer = () => policy('Allow', [`${prefix}/GET/v1/a`, `${prefix}/GET/v1/c/*`]);
    await using gateway = await testGateway(stage([withAuthorizer()]), { authorizer }, { now: () => time });
    const called = () => gateway.calls.filter(({ name }) => name === 'authorizer').length;
    expect((await gateway.fetch('/de/v1/a', bearer('t'))).status).toBe(200);
    expect((await gateway.fetch('/de/v1/b', bearer('t'))).status).toBe(403);
    expect((await gateway.fetch('/de/v1/c/1', bearer('t'))).status).toBe(200);
    expect(called()).toBe(1);
    await gateway.fetch('/de/v1/a', bearer('other'));
    expect(called()).toBe(2);
    time += 59_999;
    await gateway.fetch('/de/v1/a', bearer('t'));
    expect(called()).toBe(2);
    time += 1;
    await gateway.fetch('/de/v1/a', bearer('t'));
    expect(called()).toBe(3);
    gateway.clearAuthorizerCache();
    await gateway.fetch('/de/v1/a', bearer('t'));
    expect(called()).toBe(4);
  });

  test('does not keep errors', async () => {
    const results = [failure('error', 'Unauthorized'), failure('crash', 'x'), policy('Allow', '*')];
    await using gateway = await testGateway(stage([withAuthorizer()]), { authorizer: () => results.shift() });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await gateway.fetch('/de/v1/a', bearer('t'))).status);
    expect(statuses).toEqual([401, 500, 200]);
  });

  test('is off at 0 seconds', async () => {
    const model = stage([withAuthorizer({ cacheSeconds: 0 })]);
    await using gateway = await testGateway(model, { authorizer: () => policy('Allow', '*') });
    for (let i = 0; i < 3; i += 1) await gateway.fetch('/de/v1/a', bearer('t'));
    expect(gateway.calls.filter(({ name }) => name === 'authorizer')).toHaveLength(3);
  });

  test('requests that come together make one call; what was cleared meanwhile does not come back', async () => {
    const open = Promise.withResolvers<unknown>();
    const model = stage([withAuthorizer()]);
    let reads = 0;
    const counted = () => {
      reads += 1;
      return model;
    };
    await using gateway = await testGateway(counted, { authorizer: () => open.promise });
    const called = () => gateway.calls.filter(({ name }) => name === 'authorizer').length;
    const together = Array.from({ length: 10 }, () => gateway.fetch('/de/v1/a', bearer('t')));
    // The model is read at the start and once for each request.
    await eventually(() => expect(reads).toBe(11));
    expect(called()).toBe(1);
    gateway.clearAuthorizerCache();
    open.resolve(policy('Allow', '*'));
    expect((await Promise.all(together)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(called()).toBe(1);
    await gateway.fetch('/de/v1/a', bearer('t'));
    expect(called()).toBe(2);
  });

  test('is bounded', async () => {
    await using gateway = await testGateway(stage([withAuthorizer()]), { authorizer: () => policy('Allow', '*') });
    const ask = (number: number) => gateway.fetch('/de/v1/a', bearer(`t${number}`));
    await ask(0);
    for (let from = 1; from <= 1000; from += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => ask(from + i)));
    const before = gateway.calls.length;
    await ask(1000);
    expect(gateway.calls.length).toBe(before + 1);
    await ask(0);
    expect(gateway.calls.length).toBe(before + 3);
  });
});

describe('what an authorizer may answer', () => {
  const statement = (more: object) => ({
    principalId: 'p',
    policyDocument: { Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*', ...more }] },
  });
  test.each([
    ['an Allow', policy('Allow', '*'), 200],
    ['an Allow with wildcards', policy('Allow', `${prefix}/*/v1/?`), 200],
    ['an Allow of another method', policy('Allow', `${prefix}/POST/*`), 403],
    ['an Allow of another case', policy('Allow', `${prefix}/get/v1/a`), 403],
    ['a Deny', policy('Deny', '*'), 403],
    ['any action in any case', statement({ Action: 'EXECUTE-API:*' }), 200],
    ['another action', statement({ Action: 'execute-api:ManageConnections' }), 403],
    ['NotResource of this', statement({ Resource: undefined, NotResource: `${prefix}/GET/v1/a` }), 403],
    ['NotResource of another', statement({ Resource: undefined, NotResource: 'other' }), 200],
    ['no statement', { principalId: 'p', policyDocument: { Statement: [] } }, 403],
    [
      'one statement, not in a list',
      { principalId: 'p', policyDocument: { Statement: policy('Allow', '*').policyDocument.Statement[0] } },
      200,
    ],
    ['no effect', statement({ Effect: 'allow' }), 500],
    ['no resource', statement({ Resource: undefined }), 500],
    ['a condition', statement({ Condition: { IpAddress: {} } }), 500],
    ['no principal', { ...policy('Allow', '*'), principalId: undefined }, 500],
    ['no policy', { principalId: 'p' }, 500],
    ['null', null, 500],
    ['a nested context', policy('Allow', '*', { context: { roles: ['admin'] } }), 500],
    ['a key that is no text', policy('Allow', '*', { usageIdentifierKey: 1 }), 500],
  ])('%s', async (_what, result, status) => {
    await using gateway = await testGateway(stage([withAuthorizer()]), { authorizer: () => result });
    expect((await gateway.fetch('/de/v1/a', bearer('t'))).status).toBe(status);
  });

  test('a Deny wins over an Allow, in any order', async () => {
    const both = [
      ...policy('Deny', `${prefix}/GET/v1/a`).policyDocument.Statement,
      ...policy('Allow', '*').policyDocument.Statement,
    ];
    await using gateway = await testGateway(stage([withAuthorizer()]), {
      authorizer: () => ({ principalId: 'p', policyDocument: { Statement: both } }),
    });
    expect((await gateway.fetch('/de/v1/a', bearer('t'))).status).toBe(403);
    expect((await gateway.fetch('/de/v1/b', bearer('t'))).status).toBe(200);
  });

  test.each([
    [failure('error', 'Unauthorized'), 401],
    [failure('error', 'unauthorized'), 500],
    [failure('crash', 'Unauthorized'), 500],
    [failure('timeout', 'Task timed out'), 500],
  ])('%j', async (result, status) => {
    await using gateway = await testGateway(stage([withAuthorizer()]), { authorizer: () => result });
    expect((await gateway.fetch('/de/v1/a', bearer('t'))).status).toBe(status);
  });
});

test('a REQUEST authorizer gets the request, and its sources make the key of the cache', async () => {
  const identitySource = 'method.request.header.Authorization, method.request.querystring.tenant';
  const model = stage([withAuthorizer({ type: 'REQUEST', identitySource, functionArn: arnOf('authorizer') })]);
  await using gateway = await testGateway(model, { authorizer: () => policy('Allow', '*') });
  expect((await gateway.fetch('/de/v1/a', bearer('t'))).status).toBe(401);
  for (const tenant of ['x', 'y', 'x']) await gateway.fetch(`/de/v1/a?tenant=${tenant}`, bearer('t'));
  const events = gateway.calls.filter(({ name }) => name === 'authorizer').map(({ event }) => event);
  expect(events).toHaveLength(2);
  expect(events[0]).toMatchObject({
    type: 'REQUEST',
    methodArn: `${prefix}/GET/v1/a`,
    path: '/v1/a',
    queryStringParameters: { tenant: 'x' },
  });
  expect(events[0]).not.toHaveProperty('body');
});

test('an identity source that cannot be read stops the start', async () => {
  const model = stage([withAuthorizer({ identitySource: 'context.accountId' })]);
  await expect(testGateway(model)).rejects.toThrow('cannot read the identity source context.accountId');
});
