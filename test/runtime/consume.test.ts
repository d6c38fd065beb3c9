import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { PushQueue } from '../../functions/push/queues.ts';
import { countConsents } from '../../functions/statistics/consumers.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { leftForRetry, metricNamespace } from '../../lib/contract/metrics.ts';
import { consumeQueue, consumeStream } from '../../lib/runtime/consume.ts';

const declared = consumer({
  summary: 'Takes messages',
  application: 'medinfo',
  queue: PushQueue,
  uses: [],
  batchSize: 10,
  concurrency: 2,
  impact: 'Nothing',
});

const runtimeOf = (lines: Record<string, unknown>[]) => ({
  variables: { ENVIRONMENT: 'dev', APPLICATION: 'medinfo' },
  clock: () => new Date(),
  realNow: () => new Date('2026-03-01T12:00:00.000Z'),
  write: (line: string) => void lines.push(JSON.parse(line)),
});

async function consumed(...bodies: string[]) {
  const lines: Record<string, unknown>[] = [];
  const handle = consumeQueue(declared)(async ({ body }, { log }) => {
    if (body === 'bad') throw new Error('a canary');
    log({ level: 'INFO', message: 'taken' }, { taken: 1 });
    log({ level: 'INFO', message: 'told' });
  })(runtimeOf(lines));
  const Records = bodies.map((body, index) => ({ messageId: `${index}`, body }));
  return { lines, ...(await handle({ Records } as SQSEvent)) };
}

const embedded = (name: string) => ({
  application: 'medinfo',
  [name]: 1,
  _aws: {
    Timestamp: Date.parse('2026-03-01T12:00:00.000Z'),
    CloudWatchMetrics: [
      { Namespace: metricNamespace, Dimensions: [['application']], Metrics: [{ Name: name, Unit: 'Count' }] },
    ],
  },
});

test('the counters of a consumer are under its application, on its own log line', async () => {
  const { lines } = await consumed('good');
  expect(lines).toEqual([
    { time: '2026-03-01T12:00:00.000Z', level: 'INFO', message: 'taken', ...embedded('taken') },
    { time: '2026-03-01T12:00:00.000Z', level: 'INFO', message: 'told' },
  ]);
});

test('a message that is left for a retry is counted, and only it comes again', async () => {
  const { lines, batchItemFailures } = await consumed('good', 'bad');
  expect(batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
  const left = lines.filter(({ message }) => message === 'message left for a retry');
  expect(left).toEqual([expect.objectContaining({ level: 'WARN', ...embedded(leftForRetry) })]);
  expect(JSON.stringify(lines)).not.toContain('canary');
});

test('a batch of changes that fails as a whole comes again from its first change', async () => {
  const lines: Record<string, unknown>[] = [];
  const handle = consumeStream({ ...countConsents, uses: [] })(() => Promise.reject(new Error('a canary')))(
    runtimeOf(lines),
  );
  const Records = ['101', '102', '103'].map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));
  expect(await handle({ Records } as DynamoDBStreamEvent)).toEqual({ batchItemFailures: [{ itemIdentifier: '101' }] });
  expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', message: 'batch failed' }));
  expect(JSON.stringify(lines)).not.toContain('canary');
});
