import type { LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { type Replay, replayFailures } from '../../bin/stream-failures.ts';
import { pushStage, token } from './delivery-stage.ts';

/** What a stream gave up comes back by hand: `npm run cli -- replay-stream-failures`. */

const { patient, post, got, settled, faults, stage } = pushStage();

/** Lists two a page, by name as S3 does; each object is a minute older than the one before it in `bodies`. */
function bucketOf(bodies: Record<string, string>) {
  const objects = new Map(Object.entries(bodies));
  const age = new Map(Object.keys(bodies).map((key, index) => [key, new Date(Date.UTC(2026, 0, 1, 0, -index))]));
  async function send(command: unknown) {
    if (command instanceof ListObjectsV2Command) {
      const from = Number(command.input.ContinuationToken ?? 0);
      const keys = [...objects.keys()].filter((key) => key.startsWith(command.input.Prefix ?? '')).toSorted();
      const Contents = keys.slice(from, from + 2).map((Key) => ({ Key, LastModified: age.get(Key) }));
      return { Contents, ...(from + 2 < keys.length && { NextContinuationToken: `${from + 2}` }) };
    }
    if (command instanceof GetObjectCommand) {
      const body = objects.get(command.input.Key ?? '');
      return { Body: { transformToString: async () => body } };
    }
    if (command instanceof DeleteObjectCommand) objects.delete(command.input.Key ?? '');
    return {};
  }
  return { s3: { send } as unknown as S3Client, keys: () => [...objects.keys()] };
}

/** @param answer `Error: …` is what the function throws */
function lambdaOf(answer: (payload: string, functionName: string) => Promise<unknown>) {
  const send = async ({ input }: { input: { FunctionName: string; Payload: Uint8Array } }) => {
    const payload = await answer(Buffer.from(input.Payload).toString(), input.FunctionName);
    const isError = payload instanceof Error;
    const said = isError ? { errorType: payload.name, errorMessage: payload.message } : payload;
    return { Payload: Buffer.from(JSON.stringify(said)), ...(isError && { FunctionError: 'Unhandled' }) };
  };
  return { send } as unknown as LambdaClient;
}

async function replayed(options: Pick<Replay, 's3' | 'lambda'> & Partial<Replay>) {
  const lines: string[] = [];
  const failed = await replayFailures({
    bucket: 'failures',
    functionNames: ['publish', 'dispatch'],
    print: (line) => lines.push(line),
    ...options,
  });
  return { failed, lines };
}

const functionArn = 'arn:aws:lambda:eu-central-1:000000000000:function:dispatch:$LATEST';
const failureOf = (...numbers: string[]) => {
  const Records = numbers.map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));
  return JSON.stringify({
    requestContext: { condition: 'RetryAttemptsExhausted', functionArn },
    payload: JSON.stringify({ Records }),
  });
};
const numbersIn = (payload: string): string[] =>
  JSON.parse(payload).Records.map(({ dynamodb }: { dynamodb: { SequenceNumber: string } }) => dynamodb.SequenceNumber);
const complete = { batchItemFailures: [] };

test('what the stream gave up arrives once, however often it is replayed', async () => {
  const phone = token();
  const { userId } = await patient(phone);
  faults.dynamo = ({ action, input }) =>
    action === 'Query' && String(input.TableName).includes('Devices') ? 'error' : undefined;
  const messageId = await post(userId);
  await settled();
  expect(stage().streamFailures()).toHaveLength(1);
  delete faults.dynamo;
  expect(got(phone)).toEqual([]);

  const [failure] = stage().streamFailures();
  const { s3, keys } = bucketOf({ [failure?.key ?? '']: failure?.body ?? '' });
  const dispatcher = stage()
    .model()
    .functions.find(({ operation }) => operation === 'dispatch-pushes');
  const lambda = lambdaOf(async (payload, name) => {
    expect(name).toBe(dispatcher?.name);
    const result = await stage().invoke(dispatcher?.arn ?? '', JSON.parse(payload));
    return result.ok ? result.payload : new Error(result.errorMessage);
  });
  const functionNames = [dispatcher?.name ?? ''];
  expect((await replayed({ s3, lambda, functionNames, keeps: true })).failed).toBe(0);
  await settled();
  expect(got(phone)).toEqual([`agent_board ${messageId}`]);
  expect(keys()).toEqual([failure?.key]);
  expect((await replayed({ s3, lambda, functionNames })).failed).toBe(0);
  expect(keys()).toEqual([]);
  await settled();
  expect(got(phone)).toEqual([`agent_board ${messageId}`]);
});

test('oldest first, one at a time, from all pages, and nothing that Lambda did not put there', async () => {
  const [b, a, c] = ['aws/lambda/b', 'aws/lambda/a', 'aws/lambda/c'];
  const { s3, keys } = bucketOf({ [b]: failureOf('3'), [a]: failureOf('2'), [c]: failureOf('1'), other: 'mine' });
  const asked: string[][] = [];
  let running = 0;
  const lambda = lambdaOf(async (payload) => {
    running += 1;
    expect(running).toBe(1);
    asked.push(numbersIn(payload));
    await new Promise(setImmediate);
    running -= 1;
    return complete;
  });
  const { failed, lines } = await replayed({ s3, lambda });
  expect(failed).toBe(0);
  expect(asked).toEqual([['1'], ['2'], ['3']]);
  expect(keys()).toEqual(['other']);
  expect(lines).toEqual([
    ...[c, a, b].map((key) => `replayed ${key} (1 records of dispatch, RetryAttemptsExhausted)`),
    '3 replayed, 0 failed',
  ]);
});

test('each object goes only to the function that could not consume it', async () => {
  const of = (name: string, number: string) =>
    failureOf(number).replace('function:dispatch:$LATEST', `function:${name}`);
  const { s3, keys } = bucketOf({
    'aws/lambda/c': of('another-stage', '3'),
    'aws/lambda/b': of('publish', '2'),
    'aws/lambda/a': of('dispatch', '1'),
  });
  const asked: string[] = [];
  const lambda = lambdaOf(async (payload, name) => {
    asked.push(`${name} ${numbersIn(payload)}`);
    return complete;
  });
  const { failed, lines } = await replayed({ s3, lambda });
  expect(failed).toBe(1);
  expect(asked.toSorted()).toEqual(['dispatch 1', 'publish 2']);
  expect(lines).toContain('failed aws/lambda/c: was not given up by a function of this stage');
  expect(keys()).toEqual(['aws/lambda/c']);
});

test('a dry run invokes nothing and removes nothing', async () => {
  const { s3, keys } = bucketOf({ 'aws/lambda/a': failureOf('1', '2') });
  const lambda = lambdaOf(() => expect.unreachable());
  const { failed, lines } = await replayed({ s3, lambda, isDry: true });
  expect(failed).toBe(0);
  expect(lines[0]).toBe('would replay aws/lambda/a (2 records of dispatch, RetryAttemptsExhausted)');
  expect(keys()).toHaveLength(1);
});

test('what failed stays, and does not keep the others', async () => {
  const { s3, keys } = bucketOf({
    'aws/lambda/good': failureOf('9'),
    'aws/lambda/strange': 'no record',
    'aws/lambda/thrown': failureOf('1'),
    'aws/lambda/whole': failureOf('2'),
    'aws/lambda/null': failureOf('3'),
  });
  const answers: Record<string, unknown> = {
    1: new TypeError('no such table'),
    2: { batchItemFailures: [{ itemIdentifier: '' }] },
    3: null,
    9: complete,
  };
  const { failed, lines } = await replayed({ s3, lambda: lambdaOf(async (each) => answers[numbersIn(each)[0] ?? '']) });
  expect(failed).toBe(4);
  expect(lines).toEqual([
    'failed aws/lambda/null: the function does not answer as a consumer',
    'failed aws/lambda/whole: the function failed all of its records',
    'failed aws/lambda/thrown: TypeError: no such table',
    'failed aws/lambda/strange: is not an invocation record of a stream',
    'replayed aws/lambda/good (1 records of dispatch, RetryAttemptsExhausted)',
    '1 replayed, 4 failed',
  ]);
  expect(keys()).not.toContain('aws/lambda/good');
  expect(keys()).toHaveLength(4);
});

test('a record that is refused keeps its object, and those after it are taken all the same', async () => {
  const { s3, keys } = bucketOf({ 'aws/lambda/a': failureOf('1', '2', 'poison', '4') });
  const asked: string[][] = [];
  const lambda = lambdaOf(async (payload) => {
    asked.push(numbersIn(payload));
    const hasPoison = numbersIn(payload).includes('poison');
    return hasPoison ? { batchItemFailures: [{ itemIdentifier: 'poison' }] } : complete;
  });
  const { failed, lines } = await replayed({ s3, lambda });
  expect(failed).toBe(1);
  expect(asked).toEqual([['1', '2', 'poison', '4'], ['4']]);
  expect(lines[0]).toContain('refused the records poison');
  expect(keys()).toHaveLength(1);
});

test('a function that refuses everything is not asked for each of a hundred records', async () => {
  const { s3 } = bucketOf({ 'aws/lambda/a': failureOf(...Array.from({ length: 100 }, (_, index) => `${index}`)) });
  let asked = 0;
  const lambda = lambdaOf(async (payload) => {
    asked += 1;
    return { batchItemFailures: [{ itemIdentifier: numbersIn(payload)[0] }] };
  });
  expect((await replayed({ s3, lambda })).failed).toBe(1);
  expect(asked).toBe(5);
});
