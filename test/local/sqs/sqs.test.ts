import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SqsOptions, startSqs } from '../../../lib/local/sqs/sqs.ts';

/** As the SDK's client meets it, which checks the MD5 of what it sent and receives. */

const arn = (name: string) => `arn:aws:sqs:eu-central-1:000000000000:${name}`;
const url = (name: string) => `https://sqs.eu-central-1.amazonaws.com/000000000000/${name}`;
const dead = {
  logicalId: 'Dead',
  name: 'dead',
  arn: arn('dead'),
  url: url('dead'),
  visibilityMs: 30_000,
  redrive: null,
};
const redrive = { deadLetterArn: dead.arn, maxReceives: 2 };
const live = { logicalId: 'Live', name: 'live', arn: arn('live'), url: url('live'), visibilityMs: 60_000, redrive };
const QueueUrl = live.url;

async function started(options: Partial<SqsOptions> = {}) {
  const { url: endpoint, queues, close } = await startSqs({ queues: [dead, live], ...options });
  const credentials = { accessKeyId: 'tester', secretAccessKey: 'x' };
  const client = new SQSClient({ endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await close();
  });
  const receive = async () => {
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    return Messages;
  };
  return { client, queues, receive };
}

describe('a message', () => {
  test('is hidden once it is received, comes again when its time is over, and goes when it is deleted', async () => {
    const { client, queues, receive } = await started();
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'ä' }));
    expect(await receive()).toMatchObject([{ Body: 'ä' }]);
    expect(await receive()).toEqual([]);
    queues.elapse(60_000);
    const [again] = await receive();
    expect(again?.Attributes).toMatchObject({ ApproximateReceiveCount: '2' });
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: again?.ReceiptHandle }));
    queues.elapse(60_000);
    expect(await receive()).toEqual([]);
    expect(queues.named('Dead').messages()).toEqual([]);
  });

  test('that was received too often is a dead letter, under its id', async () => {
    const { client, queues, receive } = await started();
    const { MessageId } = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    for (let i = 0; i < 2; i += 1) {
      expect(await receive()).toHaveLength(1);
      queues.elapse(60_000);
    }
    expect(await receive()).toEqual([]);
    expect(queues.named('Dead').messages()).toMatchObject([{ messageId: MessageId, body: 'x' }]);
  });

  test('can be shown at once', async () => {
    const { client, receive } = await started();
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    const [{ ReceiptHandle } = {}] = await receive();
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    expect(await receive()).toHaveLength(1);
  });

  test('can be delayed', async () => {
    const { client, queues, receive } = await started();
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', DelaySeconds: 600 }));
    expect(await receive()).toEqual([]);
    queues.elapse(600_000);
    expect(await receive()).toHaveLength(1);
  });
});

describe('a batch', () => {
  const entries = (count: number) => Array.from({ length: count }, (_, i) => ({ Id: `${i}`, MessageBody: `b${i}` }));

  test('is of ten messages', async () => {
    const { client, receive } = await started();
    const { Successful } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: entries(10) }));
    expect(Successful).toHaveLength(10);
    expect(await receive()).toHaveLength(10);
    const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    expect(Attributes).toMatchObject({ QueueArn: live.arn, VisibilityTimeout: '60' });
  });

  test('of eleven is refused', async () => {
    const { client } = await started();
    await expect(client.send(new SendMessageBatchCommand({ QueueUrl, Entries: entries(11) }))).rejects.toMatchObject({
      name: 'TooManyEntriesInBatchRequest',
    });
  });
});

test('a caller that may not send learns what was refused', async () => {
  const { client } = await started({ authorize: ({ action, resource }) => ({ action: `sqs:${action}`, resource }) });
  const sending = client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
  await expect(sending).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining(`not authorized to perform: sqs:SendMessage on resource: ${live.arn}`),
  });
});

test('a queue that is not there', async () => {
  const { client } = await started();
  await expect(client.send(new SendMessageCommand({ QueueUrl: url('other'), MessageBody: 'x' }))).rejects.toMatchObject(
    { name: 'QueueDoesNotExist' },
  );
});
