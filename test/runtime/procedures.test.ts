import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { AccountClosed, Internal, Unavailable } from '../../lib/contract/common-errors.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { error } from '../../lib/contract/errors.ts';
import { procedure, procedureName, procedureVariable } from '../../lib/contract/procedures.ts';
import { callTo } from '../../lib/contract/uses.ts';
import { startLambda } from '../../lib/local/lambda/lambda.ts';
import type { Fault } from '../../lib/local/service/faults.ts';
import { Failure, isUnavailable } from '../../lib/runtime/failure.ts';
import { performing } from '../../lib/runtime/perform.ts';
import { call } from '../../lib/runtime/procedures.ts';
import { lambda, type Runtime } from '../../lib/runtime/runtime.ts';

const Double = procedure('DoubleIt', {
  isRepeatable: true,
  input: z.object({ of: z.int() }),
  output: z.object({ is: z.int() }),
});
const doubling = consumer({ summary: 's', application: 'all', procedure: Double, uses: [], impact: 'i' });
const lines: string[] = [];
const runtime: Runtime = {
  ...lambda,
  variables: { ENVIRONMENT: 'dev', APPLICATION: 'sleepcare' },
  write: (line) => void lines.push(line),
};
const handlerOf = (perform: (of: number) => Promise<number>) =>
  performing(doubling)(async ({ of }) => ({ is: await perform(of) }))(runtime);
const throwing = (error: unknown) =>
  handlerOf(async () => {
    throw error;
  });

/** A client whose function answers this. */
function answering(payload: unknown, FunctionError?: string) {
  const made = new LambdaClient({ region: 'eu-central-1' });
  const sent: unknown[] = [];
  const Payload = Buffer.from(JSON.stringify(payload));
  const send = async ({ input }: { input: { FunctionName: string; Payload: Buffer } }) => {
    sent.push([input.FunctionName, JSON.parse(input.Payload.toString())]);
    return { Payload, FunctionError };
  };
  return { client: Object.assign(made, { send }) as LambdaClient, sent };
}

test('names', () => {
  expect([procedureVariable(Double), procedureName(Double)]).toEqual(['DOUBLE_IT_FUNCTION', 'double-it']);
});

describe('performing', () => {
  test('returns the output, and the log has nothing of it', async () => {
    lines.length = 0;
    expect(await handlerOf(async (of) => of * 2)({ of: 4711 })).toEqual({ output: { is: 9422 } });
    expect(lines.join()).toContain('"message":"performed"');
    expect(lines.join()).not.toMatch(/4711|9422/);
  });

  test.each([
    ['a dependency that is down', Object.assign(new Error(), { name: 'ThrottlingException' })],
    ['contention', new Failure(Unavailable)],
    ['an account that was closed meanwhile', new Failure(AccountClosed)],
  ])('%s: the caller can ask again', async (_case, error) => {
    expect(await throwing(error)({ of: 1 })).toEqual({ isUnavailable: true });
  });

  test.each([
    ['a defect', throwing(new TypeError('4711')), { of: 1 }],
    ['another failure', throwing(new Failure(Internal)), { of: 1 }],
    ['an input that does not fit', handlerOf(async (of) => of), { of: '4711' }],
  ])('%s: the function fails, and Lambda logs no text of it', async (_case, handler, input) => {
    lines.length = 0;
    await expect(handler(input)).rejects.toMatchObject({ name: 'NotPerformed', message: '' });
    expect(lines.join()).toContain('"level":"ERROR"');
    expect(lines.join()).not.toContain('4711');
  });
});

const TooFar = error({ code: 'TOO_FAR', status: 400, message: 'M', detail: () => z.object({ most: z.int() }) });
const Refusing = procedure('RefuseIt', {
  isRepeatable: false,
  input: z.object({}),
  output: z.object({}),
  errors: [TooFar],
});
const refusing = consumer({ summary: 's', application: 'all', procedure: Refusing, uses: [], impact: 'i' });

test('a failure of the procedure is the caller’s, with its detail; only its code is logged', async () => {
  lines.length = 0;
  const handler = performing(refusing)(async () => {
    throw new Failure(TooFar, { most: 4711 });
  })(runtime);
  const performed = await handler({});
  expect(performed).toEqual({ failed: { code: 'TOO_FAR', detail: { most: 4711 } } });
  expect(lines.join()).toContain('"code":"TOO_FAR"');
  expect(lines.join()).not.toContain('4711');
  const { client } = answering(performed);
  await expect(call('performer', Refusing, {}, client)).rejects.toMatchObject({
    error: TooFar,
    detail: { most: 4711 },
  });
});

test('what performs a procedure may not call another one', () => {
  const declaration = {
    summary: 's',
    application: 'all',
    procedure: Refusing,
    uses: [callTo(Double)],
    impact: 'i',
  } as const;
  expect(() => consumer(declaration)).toThrow('calls no other one');
});

describe('over the wire', () => {
  const met: (Fault | undefined)[] = [];
  let invoked = 0;
  let service: Awaited<ReturnType<typeof startLambda>>;
  beforeAll(async () => {
    service = await startLambda({
      functions: () => [{ name: 'performer', arn: 'arn' }],
      region: 'eu-central-1',
      accountId: '000000000000',
      invoke: async () => {
        invoked += 1;
        return { ok: true, payload: { output: { is: 2 } }, initMs: null, durationMs: 1 };
      },
      intercept: () => met.shift(),
    });
    vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', service.url);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'tester');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await service.close();
  });
  const asked = async (isRepeatable: boolean, ...faults: (Fault | undefined)[]) => {
    met.splice(0, met.length, ...faults);
    invoked = 0;
    const answer = await call('performer', { ...Double, isRepeatable }, { of: 1 }).catch((error: unknown) =>
      isUnavailable(error) || (error instanceof Failure && error.error === Unavailable) ? 'UNAVAILABLE' : error,
    );
    return [answer, invoked];
  };

  test.each<[string, Fault[], boolean, unknown]>([
    ['a throttled call is repeated', ['throttle', 'throttle'], true, [{ is: 2 }, 1]],
    ['also where a second call would do something else', ['throttle', 'throttle'], false, [{ is: 2 }, 1]],
    ['a lost answer is asked for again', ['lose-response'], true, [{ is: 2 }, 2]],
    ['but not where a second call would do something else', ['lose-response'], false, ['UNAVAILABLE', 1]],
    ['an answer that nobody can read is UNAVAILABLE', ['garbage'], true, ['UNAVAILABLE', 0]],
  ])('%s', async (_case, faults, isRepeatable, expected) => {
    expect(await asked(isRepeatable, ...faults)).toEqual(expected);
  });
});

describe('a call', () => {
  test('sends the input, and returns the output', async () => {
    const { client, sent } = answering({ output: { is: 8 } });
    expect(await call('performer', Double, { of: 4 }, client)).toEqual({ is: 8 });
    expect(sent).toEqual([['performer', { of: 4 }]]);
  });

  test.each([
    ['the performer could not', { isUnavailable: true }, undefined],
    ['its time was over', { errorType: 'Sandbox.Timedout' }, 'Unhandled'],
    ['its process ended', { errorType: 'Runtime.ExitError' }, 'Unhandled'],
    ['its time was over, as Lambda says it, too', { errorMessage: 'Task timed out' }, 'Unhandled'],
  ])('%s: UNAVAILABLE', async (_case, payload, error) => {
    const { client } = answering(payload, error);
    await expect(call('performer', Double, { of: 4 }, client)).rejects.toMatchObject({ error: Unavailable });
  });

  test.each([
    ['the performer failed', { errorType: 'NotPerformed' }, 'Unhandled'],
    ['its bundle cannot be loaded', { errorType: 'Runtime.ImportModuleError' }, 'Unhandled'],
    ['the output does not fit', { output: { is: 'x' } }, undefined],
    ['there is no output', {}, undefined],
  ])('%s: a defect', async (_case, payload, error) => {
    const { client } = answering(payload, error);
    await expect(call('performer', Double, { of: 4 }, client)).rejects.toBeInstanceOf(Error);
  });
});
