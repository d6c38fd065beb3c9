import { isDeepStrictEqual } from 'node:util';
import { administrator, credentialsOf, refusalOf } from '../credentials.ts';
import type { DynamoDb } from '../dynamodb/front.ts';
import type { InvokeResult } from '../functions/result.ts';
import type { EventSourceModel, FunctionModel, StageModel } from '../model.ts';
import type { Queues } from '../sqs/sqs.ts';
import { openCheckpoints } from './checkpoints.ts';
import { type FailureObject, openFailureSink, type PutObject } from './failure-sink.ts';
import { startQueuePoller } from './queue-poller.ts';
import { streamClient } from './stream-client.ts';
import { type Poller, startStreamPoller } from './stream-poller.ts';
import { openTopicDeliveries, type TopicDeliveries } from './topic-deliveries.ts';

/** The template's event-source mappings, each with a poller, and its topics' subscriptions. */

export type EventSourceOptions = {
  readonly model: () => StageModel;
  readonly dynamo: DynamoDb;
  readonly queues: Queues;
  readonly putObject: PutObject;
  readonly dataDir: string | undefined;
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly log: (line: string) => void;
};

export type EventSources = {
  /** What of streams was given up; on AWS it lies in S3. */
  readonly streamFailures: () => readonly FailureObject[];
  /** Of a topic, to whom the template subscribes. */
  readonly deliver: TopicDeliveries['deliver'];
  /** Follows the model of the moment. */
  readonly adopt: () => void;
  /** No new invocation from here on. */
  readonly stop: () => void;
  /** Waits for those under way. */
  readonly finished: () => Promise<void>;
};

export function startEventSources(options: EventSourceOptions): EventSources {
  const { model, dynamo, queues, putObject, dataDir, log } = options;
  const checkpoints = openCheckpoints(dataDir);
  const sink = openFailureSink(putObject, () => new Date());
  const topics = openTopicDeliveries(options);
  const pollers = new Map<string, { source: EventSourceModel; poller: Poller }>();
  const all: Poller[] = [];

  const functionOf = ({ path, functionArn }: EventSourceModel): FunctionModel => {
    const found = model().functions.find(({ arn }) => arn === functionArn);
    if (!found) throw new Error(`${path}: there is no function ${functionArn}`);
    return found;
  };

  function start(source: EventSourceModel): Poller {
    const { region } = model();
    const refusal = (action: string, resource: string) => refusalOf(model(), functionOf(source), action, resource);
    const invoke = (event: unknown) => options.invoke(source.functionArn, event);
    if (source.kind === 'queue') return startQueuePoller({ source, queues, region, invoke, refusal, log });
    const asAdministrator = streamClient(dynamo.url, region, administrator.accessKeyId);
    return startStreamPoller({
      source,
      // No template knows the stream's label: it is the time when DynamoDB opened it.
      findStream: async () =>
        (await asAdministrator('DescribeTable', { TableName: source.tableName })).Table.LatestStreamArn,
      call: streamClient(dynamo.url, region, credentialsOf(functionOf(source)).accessKeyId),
      invoke,
      giveUp: async (record, shardId) => {
        const { failuresArn: bucket } = source;
        const refused = bucket === null ? undefined : refusal('s3:PutObject', `${bucket}/aws/lambda/failure`);
        if (refused) log(`${source.path}: records are lost: ${refused}`);
        if (bucket !== null && !refused) await sink.put(bucket, source.path, shardId, record);
      },
      onCommit: dynamo.onCommit,
      checkpoints: checkpoints(source.path),
      log,
    });
  }

  function adopt(): void {
    const wanted = new Map(model().eventSources.map((source) => [source.path, source]));
    for (const [path, { source, poller }] of pollers) {
      if (isDeepStrictEqual(wanted.get(path), source)) continue;
      poller.stop();
      pollers.delete(path);
    }
    for (const source of wanted.values()) {
      if (pollers.has(source.path)) continue;
      const poller = start(source);
      pollers.set(source.path, { source, poller });
      all.push(poller);
    }
  }

  adopt();
  return {
    streamFailures: sink.objects,
    deliver: topics.deliver,
    adopt,
    stop: () => {
      topics.stop();
      for (const { poller } of pollers.values()) poller.stop();
    },
    finished: async () => {
      await Promise.all([topics, ...all].map((each) => each.finished()));
    },
  };
}
