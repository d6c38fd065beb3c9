import { failedItems, type InvokeResult } from '../functions/result.ts';
import type { QueueSourceModel } from '../model.ts';
import { type Message, md5 } from '../sqs/queue.ts';
import type { Queues } from '../sqs/sqs.ts';
import type { Poller } from './stream-poller.ts';

/**
 * Lambda's poller of one queue: messages that the function consumed are deleted; the others are received again when
 * they are visible.
 */

export type QueuePollerOptions = {
  readonly source: QueueSourceModel;
  readonly queues: Queues;
  readonly region: string;
  readonly invoke: (event: unknown) => Promise<InvokeResult>;
  /** Why the function's role may not do something that Lambda does on its behalf. */
  readonly refusal: (action: string, resource: string) => string | undefined;
  readonly log: (line: string) => void;
};

const neededActions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
/** The longest wait of one timer. */
const longestWaitMs = 60_000;

export function startQueuePoller(options: QueuePollerOptions): Poller {
  const { source, queues, region, log } = options;
  const queue = queues.byArn(source.queueArn);
  if (!queue) throw new Error(`${source.path}: there is no queue ${source.queueArn}`);
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let said = '';

  function poll(): void {
    clearTimeout(timer);
    while (!isClosed && running.size < source.concurrency) {
      const refusal = neededActions.map((action) => options.refusal(`sqs:${action}`, source.queueArn)).find(Boolean);
      if (refusal) {
        if (refusal !== said) log(`${source.path}: ${refusal}`);
        said = refusal;
        break;
      }
      const messages = queue?.receive(source.batchSize) ?? [];
      if (messages.length === 0) break;
      const batch = consume(messages).finally(() => {
        running.delete(batch);
        poll();
      });
      running.add(batch);
    }
    if (isClosed || running.size >= source.concurrency) return;
    const wait = (queue?.nextVisibleAt() ?? 0) - queues.now();
    if (wait === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(poll, Math.min(Math.max(wait, 20), longestWaitMs));
    timer.unref();
  }

  async function consume(messages: readonly Message[]): Promise<void> {
    const result = await options.invoke({ Records: messages.map((message) => recordOf(message, source, region)) });
    const failed = failedIn(result, messages, source.reportsFailures);
    for (const { messageId, receiptHandle } of messages) if (!failed.has(messageId)) queue?.delete(receiptHandle);
  }

  // Polls after a burst of sends, so messages that are sent together are received together.
  let isTold = false;
  const tell = () => {
    if (isTold) return;
    isTold = true;
    setImmediate(() => {
      isTold = false;
      poll();
    });
  };
  const stops = [queue.onSent(tell), queues.onElapsed(tell)];
  tell();
  return {
    stop: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const stop of stops) stop();
    },
    finished: async () => {
      await Promise.all([...running]);
    },
    isWaiting: () => running.size === 0 && queue.nextVisibleAt() > queues.now(),
    isIdle: () => running.size === 0 && (isClosed || queue.messages().length === 0),
  };
}

function recordOf(message: Message, { queueArn }: QueueSourceModel, awsRegion: string) {
  const { messageId, receiptHandle, body, receiveCount, sentAt, firstReceivedAt } = message;
  return {
    messageId,
    receiptHandle,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAt),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    },
    messageAttributes: {},
    md5OfBody: md5(body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion,
  };
}

/** The ids of messages that were not consumed: all ids if the function failed or named an id outside the batch. */
function failedIn(result: InvokeResult, messages: readonly Message[], reports: boolean): ReadonlySet<string> {
  const all = new Set(messages.map(({ messageId }) => messageId));
  if (!result.ok) return all;
  if (!reports) return new Set();
  const failed = failedItems(result.payload).map((id) => id ?? '');
  return failed.some((id) => !all.has(id)) ? all : new Set(failed);
}
