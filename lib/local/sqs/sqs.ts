import type { QueueModel } from '../model.ts';
import { AwsFailure } from '../service/failure.ts';
import { type JsonHooks, type JsonInput, type JsonService, startJsonService } from '../service/json-service.ts';
import type { RunningService } from '../service/service.ts';
import { type Action, actions } from './actions.ts';
import { type LocalQueue, openQueue } from './queue.ts';

/** The local stage's SQS: standard queues over AWS's JSON protocol, with visibility and redrive. In memory. */

export type SqsOptions = JsonHooks & { readonly queues: readonly QueueModel[] };

export type Queues = {
  /** As the template has it: `PushQueue`. @throws an Error for an unknown queue */
  readonly named: (logicalId: string) => LocalQueue;
  readonly byArn: (arn: string) => LocalQueue | undefined;
  /** For tests: all queues behave as if this much more time had passed. */
  readonly elapse: (milliseconds: number) => void;
  /** Milliseconds since 1970, plus the time that `elapse` added. */
  readonly now: () => number;
  readonly onElapsed: (listener: () => void) => () => void;
};

export type Sqs = RunningService & {
  readonly queues: Queues;
  /** Adopts the queues of another template. Existing queues stay, with their messages. */
  readonly adopt: (queues: readonly QueueModel[]) => void;
};

const errors: JsonService['errors'] = {
  error: () => new AwsFailure('InternalError', 'Internal error', 500),
  throttle: () => new AwsFailure('RequestThrottled', 'The request was denied due to request throttling.'),
};

export async function startSqs(options: SqsOptions): Promise<Sqs> {
  const byArn = new Map<string, LocalQueue>();
  const listeners = new Set<() => void>();
  let elapsed = 0;
  const now = () => Date.now() + elapsed;
  const adopt = (models: readonly QueueModel[]) => {
    for (const model of models) {
      if (byArn.has(model.arn)) continue;
      const bury = (message: Parameters<LocalQueue['bury']>[0]) =>
        byArn.get(model.redrive?.deadLetterArn ?? '')?.bury(message);
      byArn.set(model.arn, openQueue(model, now, bury));
    }
  };
  adopt(options.queues);
  const queueOf = ({ QueueUrl }: JsonInput) => [...byArn.values()].find(({ model }) => model.url === QueueUrl);
  const onQueue = (action: Action) => (input: JsonInput) => {
    const queue = queueOf(input);
    if (!queue) throw new AwsFailure('QueueDoesNotExist', 'The specified queue does not exist.');
    return action(queue, input);
  };
  const service = await startJsonService(
    {
      name: 'SQS',
      target: 'AmazonSQS',
      version: '1.0',
      actions: Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, onQueue(action)])),
      resourcesOf: (input) => [queueOf(input)?.model.arn ?? '*'],
      errors,
    },
    options,
  );
  return {
    ...service,
    adopt,
    queues: {
      named: (logicalId) => {
        const found = [...byArn.values()].find(({ model }) => model.logicalId === logicalId);
        if (!found) throw new Error(`the template has no queue ${logicalId}`);
        return found;
      },
      byArn: (arn) => byArn.get(arn),
      elapse: (milliseconds) => {
        elapsed += milliseconds;
        for (const tell of [...listeners]) tell();
      },
      now,
      onElapsed: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
