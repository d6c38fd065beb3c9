import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Denial, readBody } from '../dynamodb/calls.ts';
import type { QueueModel } from '../model.ts';
import { actions, type Input, SqsFailure } from './actions.ts';
import { type LocalQueue, openQueue } from './queue.ts';

/** The local stage's SQS: standard queues over AWS's JSON protocol, with visibility and redrive. In memory. */

export type SqsCall = {
  readonly action: string;
  readonly input: Input;
  readonly accessKeyId: string;
  /** The queue's ARN. */
  readonly resource: string;
};

/** 'lose-response' executes the call and then destroys the socket. */
export type SqsFault = 'error' | 'throttle' | 'hang' | 'lose-response';

export type SqsOptions = {
  readonly queues: readonly QueueModel[];
  readonly authorize?: ((call: SqsCall) => Denial | undefined) | undefined;
  readonly intercept?: ((call: SqsCall) => SqsFault | undefined) | undefined;
};

export type Queues = {
  /** As the template has it: `PushQueue`. @throws an Error for one that is not there */
  readonly named: (logicalId: string) => LocalQueue;
  readonly byArn: (arn: string) => LocalQueue | undefined;
  /** For tests: all queues behave as if so much more time had passed. */
  readonly elapse: (milliseconds: number) => void;
  /** Milliseconds since 1970, with what has elapsed. */
  readonly now: () => number;
  readonly onElapsed: (listener: () => void) => () => void;
};

export type Sqs = {
  readonly url: string;
  readonly queues: Queues;
  /** Another template's: what is there already stays, with its messages. */
  readonly adopt: (queues: readonly QueueModel[]) => void;
  readonly close: () => Promise<void>;
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
  const server = createServer((request, response) => {
    answer(request, response, byArn, options).catch((error: unknown) => {
      if (!(error instanceof SqsFailure)) console.error('The local SQS failed:', error);
      const failure = error instanceof SqsFailure ? error : new SqsFailure('InternalError', 'Internal error', 500);
      send(response, failure.status, { __type: `com.amazonaws.sqs#${failure.code}`, message: failure.message });
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  byArn: ReadonlyMap<string, LocalQueue>,
  { authorize, intercept }: SqsOptions,
): Promise<void> {
  const [, action = ''] = String(request.headers['x-amz-target'] ?? '').split('AmazonSQS.');
  const input = JSON.parse((await readBody(request)).toString('utf8')) as Input;
  const accessKeyId = /Credential=([^/,\s]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const queue = [...byArn.values()].find(({ model }) => model.url === input.QueueUrl);
  const call = { action, input, accessKeyId, resource: queue?.model.arn ?? '*' };
  const denial = authorize?.(call);
  if (denial) {
    const { principal = 'unknown', action: denied, resource, reason = '' } = denial;
    const sentence = `User: ${principal} is not authorized to perform: ${denied} on resource: ${resource} ${reason}`;
    throw new SqsFailure('AccessDeniedException', sentence, 403);
  }
  const perform = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!perform)
    throw new SqsFailure('UnsupportedOperation', `${action} is not here: the local SQS has what Lambda uses`);
  if (!queue) throw new SqsFailure('QueueDoesNotExist', 'The specified queue does not exist.');
  const fault = intercept?.(call);
  if (fault === 'hang') return;
  if (fault === 'error') throw new SqsFailure('InternalError', 'Internal error', 500);
  if (fault === 'throttle')
    throw new SqsFailure('RequestThrottled', 'The request was denied due to request throttling.');
  const output = perform(queue, input);
  if (fault === 'lose-response') response.destroy();
  else send(response, 200, output);
}

function send(response: ServerResponse, status: number, output: unknown): void {
  if (response.destroyed) return;
  const body = Buffer.from(JSON.stringify(output));
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': body.length }).end(body);
}
