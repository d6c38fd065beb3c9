import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { sendAll } from '../../lib/runtime/sqs.ts';

/** A queue that takes all messages but one. */
function queue(refused?: number) {
  const taken: number[] = [];
  const send = async ({ input: { Entries = [] } }: SendMessageBatchCommand) => {
    const isRefused = ({ MessageBody }: { MessageBody?: string | undefined }) => Number(MessageBody) === refused;
    taken.push(...Entries.filter((entry) => !isRefused(entry)).map(({ MessageBody }) => Number(MessageBody)));
    expect(Entries.length).toBeLessThanOrEqual(10);
    const Failed = Entries.filter(isRefused).map(({ Id }) => ({ Id, Code: 'InternalError' }));
    return Failed.length > 0 ? { Failed } : {};
  };
  return { taken, client: { send } as unknown as SQSClient };
}

const messages = Array.from({ length: 25 }, (_, index) => index);

test('all messages are sent, ten to a request', async () => {
  const { taken, client } = queue();
  await sendAll('https://sqs.test/queue', messages, client);
  expect(taken).toEqual(messages);
});

test.each([0, 13, 24])('where SQS refuses one of them, the %ith, the sender is told', async (refused) => {
  const { client } = queue(refused);
  await expect(sendAll('https://sqs.test/queue', messages, client)).rejects.toThrow(
    'refused 1 messages: InternalError',
  );
});
