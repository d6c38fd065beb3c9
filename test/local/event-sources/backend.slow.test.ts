import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { synthesize } from '../../../bin/stage.ts';
import { type Backend, type BackendOptions, startBackend } from '../../../lib/local/backend.ts';
import { startDynamoDb } from '../../../lib/local/dynamodb/front.ts';
import type { StageFiles } from '../../../lib/local/template/stage-model.ts';
import { eventually } from '../../eventually.ts';
import { alteredAssembly } from '../stage/altered.ts';
import { temporaryFolder } from '../stage/local-process.ts';

/** The template's event-source mappings, run by a whole backend. */

async function backend(options: BackendOptions = {}, files?: StageFiles) {
  const problems: string[] = [];
  const log: string[] = [];
  const started = await startBackend(files ?? (await synthesize('dev')), {
    onSourceProblem: (line) => problems.push(line),
    onLog: (fn, _id, line) => log.push(`${fn.operation} ${line}`),
    ...options,
  });
  const { endpoint, region, credentials } = started.data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const close = async () => {
    client.destroy();
    await started.close();
  };
  onTestFinished(close);
  return { started, client, problems, log, close };
}

const put = (client: DynamoDBDocumentClient, { data }: Backend, table: string, Item: Record<string, unknown>) =>
  client.send(new PutCommand({ TableName: data.tables(table), Item }));

/** A message as the agent board writes it, and a phone that SNS does not know. */
async function post(client: DynamoDBDocumentClient, started: Backend, userId = randomUUID()): Promise<string> {
  const phone = {
    deviceId: 'phone',
    platform: 'android',
    environment: 'production',
    revision: 'r',
    status: 'active',
    renewedAt: '2026-01-01T00:00:00.000Z',
  };
  const endpointArn = 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/mobile-health-dev-android/gone';
  await put(client, started, 'Devices', { userId, ...phone, locale: 'de', endpointArn });
  const messageId = randomUUID();
  const event = { eventId: messageId, unreadCountAfter: 1, boardRevision: 1 };
  await put(client, started, 'AgentBoardMessages', { userId, messageId, readAt: null, ...event });
  return messageId;
}

const dispatched = (log: readonly string[]) => log.filter((line) => line.includes('"message":"dispatched"'));
const delivered = (log: readonly string[]) => log.filter((line) => /^send-push .*"outcome"/.test(line));

test('a record that cannot be understood is given up whole, and delays the others only', async () => {
  const { started, client, problems, log } = await backend();
  await put(client, started, 'AgentBoardMessages', { userId: 'u', messageId: 'poison' });
  await post(client, started);
  await eventually(() => expect(started.streamFailures()).toHaveLength(1));
  await eventually(() => expect(delivered(log)).toHaveLength(1));
  const [failure] = started.streamFailures();
  expect(failure?.key).toMatch(/^aws\/lambda\/.+DispatchPushesSource\/shardId-[^/]+\/\d{4}\/\d\d\/\d\d\/.+/);
  const { requestContext, DDBStreamBatchInfo, payload } = JSON.parse(failure?.body ?? '');
  expect(requestContext).toMatchObject({ condition: 'RetryAttemptsExhausted', approximateInvokeCount: 11 });
  expect(DDBStreamBatchInfo).toMatchObject({ batchSize: 1 });
  const { s3Endpoint, region, credentials, buckets } = started.data;
  const s3 = new S3Client({ endpoint: s3Endpoint, region, credentials });
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: buckets('StreamFailures'), Key: failure?.key }));
  s3.destroy();
  expect(await Body?.transformToString()).toBe(failure?.body);
  // Invoking the function with it is the replay.
  expect(JSON.parse(payload).Records).toMatchObject([{ dynamodb: { Keys: { messageId: { S: 'poison' } } } }]);
  expect(problems.join('\n')).toContain('gave up 1 records');
});

test.each([
  ['dynamodb:GetRecords', 'dynamodb:GetRecords'],
  ['sqs:ReceiveMessage', 'sqs:ReceiveMessage'],
])('a role without %s: the mapping stands still and says why', async (action, named) => {
  const directory = await alteredAssembly((resources) => {
    for (const { Type, Properties } of Object.values(resources)) {
      if (Type !== 'AWS::IAM::Role') continue;
      Object.assign(Properties, JSON.parse(JSON.stringify(Properties).replaceAll(`"${action}"`, '"x:Nothing"')));
    }
  });
  const { started, client, problems, log } = await backend({}, directory);
  await post(client, started);
  await eventually(() => expect(problems.join('\n')).toContain(`is not authorized to perform: ${named}`));
  expect(delivered(log)).toEqual([]);
});

test('kept data is read on from where the last stage ended', async () => {
  const dataDir = temporaryFolder();
  const first = await backend({ dataDir });
  await post(first.client, first.started);
  await eventually(() => expect(delivered(first.log)).toHaveLength(1));
  await first.close();
  const second = await backend({ dataDir });
  await post(second.client, second.started);
  await eventually(() => expect(delivered(second.log)).toHaveLength(1));
  expect(dispatched(second.log)).toHaveLength(1);
  expect(dispatched(second.log)[0]).toContain('"pushes":1');
});

test('an external DynamoDB is polled', async () => {
  const external = await startDynamoDb({ region: 'eu-central-1' });
  onTestFinished(() => external.close());
  const { started, client, log } = await backend({ dynamoEndpoint: external.url });
  await post(client, started);
  await eventually(() => expect(delivered(log)).toHaveLength(1));
  // No such endpoint: its device is marked, and nothing waits.
  expect(delivered(log)[0]).toContain('"outcome":"disabled"');
  await eventually(() => expect(started.queues.named('PushQueue').messages()).toEqual([]));
});

test('a kept table gets the stream that its template has by now', async () => {
  const external = await startDynamoDb({ region: 'eu-central-1' });
  onTestFinished(() => external.close());
  const before = await alteredAssembly((resources) => {
    for (const { Properties } of Object.values(resources)) delete Properties.StreamSpecification;
  });
  const without = await backend({ dynamoEndpoint: external.url }, before);
  await eventually(() => expect(without.problems.join('\n')).toContain('has no stream'));
  // Its consumers would do the work, too.
  await without.close();
  const { started, client, log } = await backend({ dynamoEndpoint: external.url });
  await post(client, started);
  await eventually(() => expect(delivered(log).length).toBeGreaterThan(0));
});

test('a change of no message is dispatched to nobody', async () => {
  const { started, client, log } = await backend();
  const TableName = started.data.tables('AgentBoardMessages');
  const Key = { userId: 'u', messageId: '~board' };
  const ExpressionAttributeValues = { ':one': 1 };
  await client.send(
    new UpdateCommand({ TableName, Key, UpdateExpression: 'ADD revision :one', ExpressionAttributeValues }),
  );
  await eventually(() => expect(dispatched(log)).toHaveLength(1));
  expect(dispatched(log)[0]).toContain('"pushes":0');
});
