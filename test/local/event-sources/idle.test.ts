import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { type DynamoDb, startDynamoDb } from '../../../lib/local/dynamodb/front.ts';
import { startEventSources } from '../../../lib/local/event-sources/event-sources.ts';
import { untilIdle } from '../../../lib/local/event-sources/idle.ts';
import { type InvokeResult, invokeFailure } from '../../../lib/local/functions/result.ts';
import type { QueueModel, StageModel } from '../../../lib/local/model.ts';
import { startSqs } from '../../../lib/local/sqs/sqs.ts';
import { eventually } from '../../eventually.ts';
import { hangMs } from '../../hang.ts';
import { createStreamed } from '../dynamodb/streams.ts';
import { smallModel } from '../page/small-model.ts';

/** Nothing is under way: a stream whose consumer puts into a queue, the queue's own consumer, and a topic's. */

const [functionTemplate] = smallModel.functions;
const queue: QueueModel = {
  logicalId: 'Queue',
  name: 'queue',
  arn: 'arn:aws:sqs:eu-central-1:123456789012:queue',
  url: 'http://queue',
  visibilityMs: 60_000,
  redrive: null,
};
const functionOf = (name: string) => ({ ...functionTemplate, name, arn: name, roleArn: 'role' });
const sourceOf = (path: string) => ({ path, functionArn: path, batchSize: 1, windowMs: 0, reportsFailures: false });

function modelOf(tableName: string): StageModel {
  const stream = { tableName, startsAt: 'TRIM_HORIZON', bisects: false, retries: 3, maxAgeMs: 60_000 } as const;
  return {
    ...smallModel,
    functions: ['dispatch', 'send', 'note'].map(functionOf) as unknown as StageModel['functions'],
    principals: [{ arn: 'role', statements: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }],
    queues: [queue],
    topics: [
      {
        logicalId: 'Topic',
        arn: 'topic',
        takesEventsOfSns: true,
        subscriptions: [{ path: 'note', functionArn: 'note', retries: 1 }],
      },
    ],
    eventSources: [
      { ...sourceOf('dispatch'), kind: 'stream', ...stream, failuresArn: null },
      { ...sourceOf('send'), kind: 'queue', queueArn: queue.arn, concurrency: 1 },
    ],
  };
}

const done: InvokeResult = { ok: true, payload: null, initMs: null, durationMs: 1 };
const failed = invokeFailure('error', 'Error', 'it failed');

/** Each invocation waits until the test answers it. */
async function opened({ isExternal = false, endedElsewhere = (): number => 0, standstillMs = hangMs } = {}) {
  const dynamo: DynamoDb = await startDynamoDb({ region: smallModel.region });
  const credentials = { accessKeyId: 'tester', secretAccessKey: 'x' };
  const plain = new DynamoDBClient({ endpoint: dynamo.url, region: smallModel.region, credentials });
  const { TableName } = await createStreamed(plain);
  const client = DynamoDBDocumentClient.from(plain);
  const sqs = await startSqs({ queues: [queue] });
  const asked: { name: string; answer: (result: InvokeResult) => void }[] = [];
  let elsewhere = true;
  const { newestRecord: _, ...external } = dynamo;
  const sources = startEventSources({
    model: () => modelOf(TableName),
    dynamo: isExternal ? external : dynamo,
    queues: sqs.queues,
    putObject: async () => undefined,
    dataDir: undefined,
    invoke: (name) => new Promise((answer) => asked.push({ name, answer })),
    isIdleElsewhere: () => elsewhere,
    endedElsewhere,
    standstillMs,
    log: () => undefined,
  });
  onTestFinished(async () => {
    sources.stop();
    for (const { answer } of asked) answer(done);
    await sources.finished();
    client.destroy();
    await Promise.all([sqs.close(), dynamo.close()]);
  });

  // The stream is read for the first time.
  if (!isExternal) await eventually(() => expect(sources.underWay()).toEqual([]));
  return {
    ...sources,
    queues: sqs.queues,
    queue: sqs.queues.named('Queue'),
    put: (p: string) => client.send(new PutCommand({ TableName, Item: { p, s: 's' } })),
    /** Waits for the next invocation. @returns how to answer it */
    invoked: (name: string) =>
      eventually(() => {
        const index = asked.findIndex((one) => one.name === name);
        if (index < 0) throw new Error(`${name} is not invoked`);
        return asked.splice(index, 1)[0]?.answer ?? expect.unreachable();
      }),
    setElsewhere: (value: boolean) => {
      elsewhere = value;
    },
  };
}

test('where nothing was written, at once', async () => {
  const { idle, underWay } = await opened();
  await idle();
  expect(underWay()).toEqual([]);
});

test('not before a record is consumed, and what its consumer put into a queue is deleted', async () => {
  const { put, invoked, queue, idle, underWay } = await opened();
  await put('one');
  expect(underWay()).toEqual(['dispatch']);
  const dispatched = await invoked('dispatch');
  queue.send('message');
  const sent = await invoked('send');
  expect(underWay()).toEqual(['dispatch', 'send']);
  dispatched(done);
  await eventually(() => expect(underWay()).toEqual(['send']));
  sent(done);
  await idle();
  expect(queue.messages()).toEqual([]);
});

test('not while a record waits for its next attempt', async () => {
  const { put, invoked, idle, underWay } = await opened();
  await put('one');
  for (const _ of [1, 2]) {
    (await invoked('dispatch'))(failed);
    expect(underWay()).toEqual(['dispatch']);
  }
  const third = await invoked('dispatch');
  expect(underWay()).toEqual(['dispatch']);
  third(done);
  await idle();
});

test('not before the record that was written last', async () => {
  const { put, invoked, idle, underWay } = await opened();
  await put('one');
  const first = await invoked('dispatch');
  await put('two');
  first(done);
  const second = await invoked('dispatch');
  expect(underWay()).toEqual(['dispatch']);
  second(done);
  await idle();
  await put('three');
  expect(underWay()).toEqual(['dispatch']);
  (await invoked('dispatch'))(done);
  await idle();
});

test('not while a message waits to be received again', async () => {
  const { queue, queues, invoked, idle, underWay } = await opened();
  queue.send('message');
  expect(underWay()).toEqual(['send']);
  (await invoked('send'))(failed);
  await eventually(() => {
    queues.elapse(queue.model.visibilityMs);
    expect(queue.messages()).toMatchObject([{ receiveCount: 2 }]);
    expect(underWay()).toEqual(['send']);
  });
  (await invoked('send'))(done);
  await idle();
});

test('who waits may let the time pass, once nothing else is under way', async () => {
  const { put, queue, queues, invoked, idle } = await opened();
  const waited: number[] = [];
  await put('one');
  queue.send('message');
  const sent = await invoked('send');
  const dispatched = await invoked('dispatch');
  const whole = idle(() => {
    waited.push(queue.messages()[0]?.receiveCount ?? 0);
    queues.elapse(queue.model.visibilityMs);
  });
  sent(failed);
  dispatched(done);
  (await invoked('send'))(failed);
  (await invoked('send'))(done);
  await whole;
  expect(waited).toEqual([1, 2]);
});

test('not while a delayed message is to come', async () => {
  const { queue, queues, invoked, idle, underWay } = await opened();
  queue.send('message', 900);
  expect(underWay()).toEqual(['send']);
  queues.elapse(900_000);
  (await invoked('send'))(done);
  await idle();
});

test('not while a function hears a topic, or is to hear it again', async () => {
  const { deliver, invoked, idle, underWay } = await opened();
  const fields = { MessageId: 'm', Subject: 's', Message: '{}', Timestamp: '2026-01-01T00:00:00Z' };
  deliver({ Type: 'Notification', TopicArn: 'topic', ...fields });
  expect(underWay()).toEqual(['a message of a topic']);
  (await invoked('note'))(failed);
  expect(underWay()).toEqual(['a message of a topic']);
  (await invoked('note'))(done);
  await idle();
});

test('not while something is under way elsewhere', async () => {
  const { setElsewhere, underWay } = await opened();
  setElsewhere(false);
  expect(underWay()).toEqual(['an application event or a schedule']);
});

test('what ends elsewhere is progress as well', async () => {
  let ended = 0;
  const going = await opened({
    standstillMs: 0,
    endedElsewhere: () => {
      ended += 1;
      going.setElsewhere(ended === 5);
      return ended;
    },
  });
  going.setElsewhere(false);
  await going.idle();
  const standing = await opened({ standstillMs: 0, endedElsewhere: () => ended });
  standing.setElsewhere(false);
  await expect(standing.idle()).rejects.toThrow('still under way: an application event or a schedule');
});

test('a poller that was stopped is idle when its last invocation is over', async () => {
  const { put, invoked, stop, idle, underWay } = await opened();
  await put('one');
  const last = await invoked('dispatch');
  await put('two');
  stop();
  expect(underWay()).toEqual(['dispatch']);
  last(done);
  await idle();
});

test('an external DynamoDB tells nobody where its streams end', async () => {
  const { idle } = await opened({ isExternal: true });
  await expect(idle()).rejects.toThrow('external DynamoDB');
});

test('what stands still is named', async () => {
  const names = () => ['dispatch', 'send'];
  const standing = { names, isWaiting: () => false, ended: () => 0 };
  await expect(untilIdle(standing, undefined, 0)).rejects.toThrow('still under way: dispatch, send');
});

test('what goes on is waited for', async () => {
  let ended = 0;
  const going = { names: () => (ended < 5 ? ['send'] : []), isWaiting: () => false, ended: () => ++ended };
  await untilIdle(going, undefined, 0);
});
