import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type InvokeResult, invokeFailure } from '../../../lib/local/functions/result.ts';
import { type LambdaOptions, startLambda } from '../../../lib/local/lambda/lambda.ts';

const place = { region: 'eu-central-1', accountId: '000000000000' };
const arn = 'arn:aws:lambda:eu-central-1:000000000000:function:performer';
const success = (payload: unknown): InvokeResult => ({ ok: true, payload, initMs: null, durationMs: 1 });

async function started(options: Partial<LambdaOptions> = {}, secretAccessKey = 'local') {
  const invoked: unknown[] = [];
  const lambda = await startLambda({
    ...place,
    functions: () => [{ name: 'performer', arn }],
    invoke: async (functionArn, event) => {
      invoked.push([functionArn, event]);
      return success({ got: event });
    },
    ...options,
  });
  const credentials = { accessKeyId: 'tester', secretAccessKey };
  const client = new LambdaClient({ endpoint: lambda.url, region: place.region, credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await lambda.close();
  });
  const invoke = async (Payload = '{"a":1}', more = {}) => {
    const answer = await client.send(
      new InvokeCommand({ FunctionName: 'performer', Payload: Buffer.from(Payload), ...more }),
    );
    return { error: answer.FunctionError, payload: JSON.parse(Buffer.from(answer.Payload ?? '').toString()) };
  };
  return { invoked, url: lambda.url, invoke };
}

test('a function gets the payload, and its result is the answer', async () => {
  const { invoked, invoke } = await started();
  expect(await invoke()).toEqual({ error: undefined, payload: { got: { a: 1 } } });
  expect(invoked).toEqual([[arn, { a: 1 }]]);
});

test.each([
  ['error', 'TypeError'],
  ['crash', 'Runtime.ExitError'],
  ['timeout', 'Sandbox.Timedout'],
] as const)('a function that ends with %s is an answer that says so', async (kind, errorType) => {
  const { invoke } = await started({ invoke: async () => invokeFailure(kind, errorType, 'm') });
  expect(await invoke()).toMatchObject({ error: 'Unhandled', payload: { errorType, errorMessage: 'm' } });
});

describe('refused, and nothing is invoked', () => {
  const denial = { action: 'lambda:InvokeFunction', resource: arn };
  test.each<[string, Partial<LambdaOptions>, Parameters<Awaited<ReturnType<typeof started>>['invoke']>, string]>([
    ['a role that may not', { authorize: () => denial }, [], 'AccessDeniedException'],
    ['a function that is not there', { functions: () => [] }, [], 'ResourceNotFoundException'],
    ['a payload that is no JSON', {}, ['{'], 'InvalidRequestContentException'],
    ['an invocation that nobody waits for', {}, ['{}', { InvocationType: 'Event' }], 'InvalidParameterValueException'],
    ['a throttled call', { intercept: () => 'throttle' }, [], 'TooManyRequestsException'],
    ['a failing service', { intercept: () => 'error' }, [], 'ServiceException'],
  ])('%s', async (_case, options, given, name) => {
    const { invoked, invoke } = await started(options);
    await expect(invoke(...given)).rejects.toMatchObject({ name });
    expect(invoked).toEqual([]);
  });

  test('a call that another secret has signed, one that is not signed, and another operation', async () => {
    const { invoked, invoke, url } = await started({}, 'another');
    await expect(invoke()).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${url}${path}`, { method });
      return [answer.status, answer.headers.get('x-amzn-errortype')];
    };
    expect(await ask('POST', '/2015-03-31/functions/performer/invocations')).toEqual([
      403,
      'InvalidSignatureException',
    ]);
    expect(await ask('GET', '/2015-03-31/functions')).toEqual([404, 'UnknownOperationException']);
    expect(invoked).toEqual([]);
  });

  test('the policies are asked for this function and the caller', async () => {
    const calls: unknown[] = [];
    const { invoke } = await started({ authorize: (call) => void calls.push(call) });
    await invoke();
    expect(calls).toEqual([{ action: 'InvokeFunction', accessKeyId: 'tester', resource: arn }]);
  });
});
