import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { bundle, fileIsThere, testHost } from './bundle.ts';

test('the handler gets the event and what it returns is the payload', async () => {
  await using host = testHost();
  const fn = bundle('export const handler = async (event) => ({ got: event })');
  const result = await host.invoke(fn, { text: 'grüße\n☂', list: [1, null] });
  expect(result).toMatchObject({ ok: true, payload: { got: { text: 'grüße\n☂', list: [1, null] } } });
});

test('nothing returned is null', async () => {
  await using host = testHost();
  expect(await host.invoke(bundle('export const handler = async () => {}'), {})).toMatchObject({
    ok: true,
    payload: null,
  });
});

test('the context names the function, the request and the time that is left', async () => {
  await using host = testHost();
  const fn = bundle(`export const handler = async (event, context) => {
    const { getRemainingTimeInMillis, ...rest } = context;
    const before = Date.now();
    const remaining = getRemainingTimeInMillis();
    return { ...rest, deadline: [before + remaining, Date.now() + remaining] };
  }`);
  const before = Date.now();
  const result = await host.invoke(fn, {}, { requestId: 'request-1' });
  if (!result.ok) throw new Error(result.errorMessage);
  expect(result.payload).toMatchObject({
    awsRequestId: 'request-1',
    functionName: fn.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: fn.arn,
    memoryLimitInMB: '256',
    logGroupName: `/aws/lambda/${fn.name}`,
  });
  const [earliest, latest] = (result.payload as { deadline: [number, number] }).deadline;
  expect(latest).toBeGreaterThanOrEqual(before + fn.timeoutMs);
  expect(earliest).toBeLessThanOrEqual(Date.now() + fn.timeoutMs);
});

test('a warm environment is used again, and only the cold start reports its init', async () => {
  await using host = testHost();
  const fn = bundle('let count = 0; export const handler = async () => ({ pid: process.pid, count: ++count })');
  const [first, second] = [await host.invoke(fn, {}), await host.invoke(fn, {})];
  if (!first.ok || !second.ok) throw new Error('failed');
  expect(second.payload).toEqual({ ...(first.payload as object), count: 2 });
  expect(first.initMs).toBeGreaterThan(0);
  expect(second.initMs).toBeNull();
});

test('an environment takes one invocation at a time, and further ones wait for the maximum', async () => {
  await using host = testHost({ maxEnvironments: 3 });
  const fn = bundle(`${fileIsThere} let running = 0; export const handler = async ({ file }) => {
    running += 1; const seen = running;
    console.log('begun'); await fileIsThere(file);
    running -= 1; return { seen, pid: process.pid };
  }`);
  const file = join(fn.codeDir, 'all-begun');
  const invoked = Promise.all(Array.from({ length: 12 }, () => host.invoke(fn, { file })));
  await eventually(() => expect(host.logs).toHaveLength(3));
  writeFileSync(file, '');
  const results = await invoked;
  const payloads = results.map((result) => (result.ok ? (result.payload as { seen: number; pid: number }) : null));
  expect(payloads.every((payload) => payload?.seen === 1)).toBe(true);
  expect(new Set(payloads.map((payload) => payload?.pid)).size).toBe(3);
});

test('50 concurrent invocations are answered each with its own', async () => {
  await using host = testHost();
  const fn = bundle('export const handler = async (event) => event.number * 2');
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  const results = await Promise.all(numbers.map((number) => host.invoke(fn, { number })));
  expect(results.map((result) => result.ok && result.payload)).toEqual(numbers.map((number) => number * 2));
});

test('a large event and a large response pass whole', async () => {
  await using host = testHost();
  const fn = bundle('export const handler = async (event) => ({ body: event.body.toUpperCase() })');
  const result = await host.invoke(fn, { body: 'ä'.repeat(2_000_000) });
  expect(result.ok && (result.payload as { body: string }).body === 'Ä'.repeat(2_000_000)).toBe(true);
});

test('an event above 6 MB is not taken', async () => {
  await using host = testHost();
  const fn = bundle('export const handler = async () => 1');
  expect(await host.invoke(fn, 'x'.repeat(6_291_555))).toMatchObject({
    ok: false,
    kind: 'rejected',
    errorType: 'RequestEntityTooLargeException',
  });
  expect(await host.invoke(fn, 'x'.repeat(6_291_554))).toMatchObject({ ok: true });
});

test('a response above 6 MB is an error of the function', async () => {
  await using host = testHost();
  const fn = bundle("export const handler = async (length) => 'x'.repeat(length)");
  expect(await host.invoke(fn, 6_291_555)).toMatchObject({ kind: 'error', errorType: 'Function.ResponseSizeTooLarge' });
  expect(await host.invoke(fn, 6_291_554)).toMatchObject({ ok: true, initMs: null });
});

test('the child sees its own variables, Lambda’s and the host’s, and nothing of the shell', async () => {
  process.env.AWS_PROFILE = 'developer';
  try {
    await using host = testHost({
      variables: () => ({ AWS_ACCESS_KEY_ID: 'AKIALOCAL', DYNAMODB_ENDPOINT: 'http://x' }),
    });
    const fn = bundle(
      'export const handler = async () => ({ env: process.env, cwd: process.cwd(), offset: new Date(0).getTimezoneOffset() })',
      { environment: { TABLE: 'consents' } },
    );
    const result = await host.invoke(fn, {});
    if (!result.ok) throw new Error(result.errorMessage);
    const { env, cwd, offset } = result.payload as { env: Record<string, string>; cwd: string; offset: number };
    expect(Object.keys(env).sort()).toEqual([
      'AWS_ACCESS_KEY_ID',
      'AWS_DEFAULT_REGION',
      'AWS_EXECUTION_ENV',
      'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
      'AWS_LAMBDA_FUNCTION_NAME',
      'AWS_LAMBDA_FUNCTION_VERSION',
      'AWS_LAMBDA_INITIALIZATION_TYPE',
      'AWS_LAMBDA_LOG_GROUP_NAME',
      'AWS_LAMBDA_LOG_STREAM_NAME',
      'AWS_REGION',
      'DYNAMODB_ENDPOINT',
      'HOME',
      'LAMBDA_TASK_ROOT',
      'LANG',
      'PATH',
      'TABLE',
      'TZ',
      '_HANDLER',
    ]);
    expect(env).toMatchObject({ AWS_REGION: 'eu-central-1', AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x', TZ: ':UTC' });
    expect(env.HOME).not.toBe(process.env.HOME);
    expect(cwd).toBe(fn.codeDir);
    expect(offset).toBe(0);
  } finally {
    delete process.env.AWS_PROFILE;
  }
});
