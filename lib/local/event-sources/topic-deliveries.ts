import type { InvokeResult } from '../functions/result.ts';
import type { StageModel } from '../model.ts';
import { lambdaEvent, type Notification } from '../sns/sns.ts';
import { invokeAsync } from './async-invoke.ts';

/** What SNS and Lambda do with a message of a topic: each subscribed function is invoked, with retries if it fails. */

export type TopicOptions = {
  readonly model: () => StageModel;
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly log: (line: string) => void;
  /** The wait before another attempt. Lambda waits one minute, then two. */
  readonly pauseMs?: number;
};

export type TopicDeliveries = {
  readonly deliver: (notification: Notification) => void;
  readonly stop: () => void;
  readonly finished: () => Promise<void>;
  readonly isIdle: () => boolean;
};

export function openTopicDeliveries({ model, invoke, log, pauseMs = 500 }: TopicOptions): TopicDeliveries {
  const running = new Set<Promise<void>>();
  const ended = new AbortController();

  async function call(path: string, functionArn: string, retries: number, event: unknown): Promise<void> {
    const { signal } = ended;
    const result = await invokeAsync(() => invoke(functionArn, event), { retries, pauseMs, signal });
    if (result && !result.ok && !signal.aborted) log(`${path}: gave up a message: ${result.errorType}`);
  }

  return {
    deliver: (notification) => {
      const topic = model().topics.find(({ arn }) => arn === notification.TopicArn);
      for (const { path, functionArn, retries } of ended.signal.aborted ? [] : (topic?.subscriptions ?? [])) {
        const delivery = call(path, functionArn, retries, lambdaEvent(notification)).finally(() => {
          running.delete(delivery);
        });
        running.add(delivery);
      }
    },
    stop: () => ended.abort(),
    finished: async () => {
      await Promise.all([...running]);
    },
    isIdle: () => running.size === 0,
  };
}
