import { AwsFailure } from '../service/failure.ts';
import type { JsonInput } from '../service/json-service.ts';
import { type LocalQueue, type Message, md5 } from './queue.ts';

/** The actions of SQS that a consumer and its event-source mapping use, with the names of the API reference. */

export type Action = (queue: LocalQueue, input: JsonInput) => object;
type Entry = { Id: string; MessageBody?: string; DelaySeconds?: number; ReceiptHandle?: string };

/** 1 MiB since August 2025, for a message and also for a batch. */
const mostBytes = 1024 * 1024;

export const actions: Readonly<Record<string, Action>> = {
  SendMessage: (queue, { MessageBody, DelaySeconds }) => {
    const { messageId, md5: MD5OfMessageBody } = queue.send(bodyOf(MessageBody), numberOf(DelaySeconds, 0));
    return { MessageId: messageId, MD5OfMessageBody };
  },
  SendMessageBatch: (queue, input) => {
    const entries = entriesOf(input);
    const bytes = entries.reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
    if (bytes > mostBytes)
      throw new AwsFailure('BatchRequestTooLong', 'Batch requests cannot be longer than 1048576 bytes.');
    const Successful = entries.map(({ Id, MessageBody, DelaySeconds }) => {
      const sent = queue.send(bodyOf(MessageBody), numberOf(DelaySeconds, 0));
      return { Id, MessageId: sent.messageId, MD5OfMessageBody: sent.md5 };
    });
    return { Successful };
  },
  ReceiveMessage: (queue, { MaxNumberOfMessages, VisibilityTimeout }) => {
    const seconds = VisibilityTimeout === undefined ? undefined : numberOf(VisibilityTimeout, 0) * 1000;
    const found = queue.receive(numberOf(MaxNumberOfMessages, 1), seconds);
    return found.length === 0 ? {} : { Messages: found.map(written) };
  },
  DeleteMessage: (queue, { ReceiptHandle }) => {
    queue.delete(String(ReceiptHandle));
    return {};
  },
  DeleteMessageBatch: (queue, input) => {
    const entries = entriesOf(input);
    for (const { ReceiptHandle } of entries) queue.delete(String(ReceiptHandle));
    return { Successful: entries.map(({ Id }) => ({ Id })) };
  },
  ChangeMessageVisibility: (queue, { ReceiptHandle, VisibilityTimeout }) => {
    if (!queue.changeVisibility(String(ReceiptHandle), numberOf(VisibilityTimeout, 0) * 1000)) {
      throw new AwsFailure('MessageNotInflight', 'The specified message is not in flight.');
    }
    return {};
  },
  GetQueueAttributes: (queue) => {
    const [all, at] = [queue.messages(), Date.now()];
    const { arn, visibilityMs, redrive } = queue.model;
    const policy = redrive && { deadLetterTargetArn: redrive.deadLetterArn, maxReceiveCount: redrive.maxReceives };
    return {
      Attributes: {
        QueueArn: arn,
        VisibilityTimeout: String(visibilityMs / 1000),
        ApproximateNumberOfMessages: String(all.filter(({ visibleAt }) => visibleAt <= at).length),
        ApproximateNumberOfMessagesNotVisible: String(all.filter(({ receiptHandle }) => receiptHandle !== '').length),
        ...(policy && { RedrivePolicy: JSON.stringify(policy) }),
      },
    };
  },
};

function written({ messageId, body, receiptHandle, sentAt, receiveCount, firstReceivedAt }: Message) {
  return {
    MessageId: messageId,
    ReceiptHandle: receiptHandle,
    Body: body,
    MD5OfBody: md5(body),
    Attributes: {
      ApproximateReceiveCount: String(receiveCount),
      ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
      SentTimestamp: String(sentAt),
      SenderId: 'local',
    },
  };
}

function bodyOf(body: unknown): string {
  if (typeof body !== 'string' || body === '') {
    throw new AwsFailure('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (Buffer.byteLength(body) > mostBytes) {
    throw new AwsFailure(
      'InvalidParameterValue',
      'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
    );
  }
  return body;
}

function entriesOf({ Entries }: JsonInput): Entry[] {
  const entries = Array.isArray(Entries) ? (Entries as Entry[]) : [];
  if (entries.length === 0)
    throw new AwsFailure('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (entries.length > 10) {
    throw new AwsFailure(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${entries.length}.`,
    );
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new AwsFailure('BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.');
  }
  return entries;
}

function numberOf(given: unknown, otherwise: number): number {
  return typeof given === 'number' ? given : otherwise;
}
