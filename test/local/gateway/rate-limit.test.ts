import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../lib/local/gateway/rate-limit.ts';
import { createTokenBuckets } from '../../../lib/local/gateway/token-bucket.ts';
import { api, authorized, method, policy, stage, testGateway } from './gateway.ts';

describe('the sliding window', () => {
  test('the 101st request of 60 s is blocked; the place of the first is free again when it left the window', () => {
    const passes = createRateLimit({ limit: 100, windowSeconds: 60 });
    const first = Array.from({ length: 100 }, (_, index) => passes('a', index * 100));
    expect(first.every(Boolean)).toBe(true);
    expect(passes('a', 10_000)).toBe(false);
    expect(passes('b', 10_000)).toBe(true);
    // In (99, 60,099] are 99 of the first hundred, and the blocked one.
    expect(passes('a', 60_099)).toBe(false);
    // In (10,000, 70,000] is only the one of 60,099.
    expect(passes('a', 70_000)).toBe(true);
  });

  test('exactly at the end of the window a request is out of it', () => {
    const passes = createRateLimit({ limit: 1, windowSeconds: 60 });
    expect([passes('a', 0), passes('a', 60_000)]).toEqual([true, true]);
    const again = createRateLimit({ limit: 1, windowSeconds: 60 });
    expect([again('a', 0), again('a', 59_999), again('a', 60_000)]).toEqual([true, false, false]);
  });

  test('blocked requests count: who hammers stays out, who pauses gets in', () => {
    const passes = createRateLimit({ limit: 10, windowSeconds: 60 });
    let passed = 0;
    for (let time = 0; time < 300_000; time += 1000) passed += Number(passes('a', time));
    expect(passed).toBe(10);
    expect(passes('a', 299_000 + 60_000)).toBe(true);
  });

  test('agrees with a plain count over many random arrivals', () => {
    const limit = 7;
    const passes = createRateLimit({ limit, windowSeconds: 1 });
    const arrivals: number[] = [];
    let seed = 1;
    for (let time = 0, step = 0; step < 5000; step += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      time += seed % 260;
      const expected = arrivals.filter((at) => at > time - 1000).length < limit;
      expect(passes('a', time)).toBe(expected);
      arrivals.push(time);
    }
  });

  test('memory is bounded: the address that was longest silent is forgotten', () => {
    const passes = createRateLimit({ limit: 1, windowSeconds: 60 }, 3);
    for (const address of ['a', 'b', 'c']) passes(address, 0);
    expect(passes('a', 1)).toBe(false);
    passes('d', 2); // b goes
    expect([passes('a', 3), passes('c', 3), passes('d', 3)]).toEqual([false, false, false]);
    expect(passes('b', 3)).toBe(true);
  });
});

describe('the firewall', () => {
  const block = {
    status: 429,
    headers: { 'Retry-After': '60', 'Content-Type': 'application/json' },
    body: '{"code":"RATE_LIMITED"}',
  };
  const rule = { limit: 5, windowSeconds: 60, apiIds: ['sleep', 'crm'], block };
  const model = stage([api(), api({ id: 'crm', stageName: 'v2' })], { rateLimits: [rule] });

  test('counts over both APIs and everything else, only by the connection, and answers as the rule says', async () => {
    let time = 0;
    const local = (_request: unknown, response: { end(text: string): void }) => {
      response.end('local');
      return true;
    };
    await using gateway = await testGateway(model, {}, { rateLimit: true, now: () => time, local });
    const statuses = [];
    for (const [index, path] of ['/de/v1/things', '/v2/v1/things', '/none', '/de/none', '/v2/v1/things'].entries()) {
      statuses.push((await gateway.fetch(path, { headers: { 'X-Forwarded-For': `203.0.113.${index}` } })).status);
    }
    expect(statuses).toEqual([200, 200, 404, 403, 200]);
    const response = await gateway.fetch('/de/v1/things', { headers: { 'X-Forwarded-For': '203.0.113.99' } });
    expect([response.status, await response.text(), response.headers.get('retry-after')]).toEqual([
      429,
      block.body,
      '60',
    ]);
    expect(response.headers.get('x-amz-apigw-id')).not.toBeNull();
    expect(await (await gateway.fetch('/_local/token')).text()).toBe('local');
    time = 60_000;
    expect((await gateway.fetch('/de/v1/things')).status).toBe(200);
  });

  test('is left out when it is switched off, and the throttle of the stage with it', async () => {
    const throttle = { ratePerSecond: 0, burst: 0 };
    const throttled = stage([api({ throttle })], { rateLimits: model.rateLimits });
    await using gateway = await testGateway(throttled, {}, { rateLimit: false });
    for (let i = 0; i < 6; i += 1) expect((await gateway.fetch('/de/v1/things')).status).toBe(200);
  });
});

describe('token buckets', () => {
  test('the burst at once, then the rate', () => {
    const buckets = createTokenBuckets();
    const rate = { ratePerSecond: 100 / 60, burst: 2 };
    const take = (now: number) => buckets.take('a', rate, now);
    expect([take(0), take(0), take(0)]).toEqual([true, true, false]);
    expect([take(599), take(600), take(601)]).toEqual([false, true, false]);
    expect([take(1e7), take(1e7), take(1e7)]).toEqual([true, true, false]);
  });

  test('the throttle of the stage', async () => {
    let time = 0;
    const throttle = { ratePerSecond: 1, burst: 2 };
    await using gateway = await testGateway(stage([api({ throttle })]), {}, { rateLimit: true, now: () => time });
    const get = async () => (await gateway.fetch('/de/v1/things')).status;
    expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
    time = 1000;
    expect([await get(), await get()]).toEqual([200, 429]);
  });

  test('a usage plan counts for each key, over both APIs', async () => {
    const plan = { throttle: { ratePerSecond: 0, burst: 2 }, keys: ['key-tools', 'key-crm'] };
    const keyed = {
      methods: [method('GET', '/tool', 'echo', { ...authorized, apiKeyRequired: true })],
      usagePlans: [plan],
    };
    const model = stage([api(keyed), api({ ...keyed, id: 'crm', stageName: 'v2' })]);
    await using gateway = await testGateway(model, {
      authorizer: ({ authorizationToken }) => policy('Allow', '*', { usageIdentifierKey: authorizationToken }),
    });
    const get = async (path: string, key: string) =>
      (await gateway.fetch(path, { headers: { Authorization: key } })).status;
    expect([await get('/de/tool', 'key-tools'), await get('/v2/tool', 'key-tools')]).toEqual([200, 200]);
    expect([await get('/de/tool', 'key-tools'), await get('/v2/tool', 'key-tools')]).toEqual([429, 429]);
    expect(await get('/de/tool', 'key-crm')).toBe(200);
    expect(await get('/de/tool', 'key-of-nobody')).toBe(403);
    const event = gateway.calls.findLast(({ name }) => name === 'echo')?.event;
    expect(event?.requestContext.identity).toMatchObject({ apiKey: 'key-crm' });
  });

  test('a usage plan without a throttle refuses nobody', async () => {
    const methods = [method('GET', '/tool', 'echo', { ...authorized, apiKeyRequired: true })];
    const usagePlans = [{ throttle: null, keys: ['key-app'] }];
    await using gateway = await testGateway(stage([api({ methods, usagePlans })]), {
      authorizer: () => policy('Allow', '*', { usageIdentifierKey: 'key-app' }),
    });
    const get = async () => (await gateway.fetch('/de/tool', { headers: { Authorization: 'any' } })).status;
    for (let call = 0; call < 20; call++) expect(await get()).toBe(200);
  });

  test('a key in a header is no key: the source is the authorizer', async () => {
    const plan = { throttle: null, keys: ['known'] };
    const methods = [method('GET', '/tool', 'echo', { apiKeyRequired: true })];
    await using gateway = await testGateway(stage([api({ methods, usagePlans: [plan] })]));
    expect((await gateway.fetch('/de/tool', { headers: { 'X-Api-Key': 'known' } })).status).toBe(403);
  });
});
