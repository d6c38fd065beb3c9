import { isDeepStrictEqual } from 'node:util';
import { administrator, type Credentials, credentialsOf, refusalOf } from '../credentials.ts';
import { dynamoDbClient } from '../dynamodb/client.ts';
import type { DynamoDb } from '../dynamodb/front.ts';
import type { InvokeResult } from '../functions/result.ts';
import type { EventSourceModel, FunctionModel, StageModel } from '../model.ts';
import type { Queues } from '../sqs/sqs.ts';
import { openCheckpoints } from './checkpoints.ts';
import { type FailureObject, openFailureSink, type PutObject } from './failure-sink.ts';
import { untilIdle } from './idle.ts';
import { startQueuePoller } from './queue-poller.ts';
import type { StreamCall } from './stream-client.ts';
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
  /** Whether nothing else is under way, such as messages to a topic. */
  readonly isIdleElsewhere: () => boolean;
  /** How many invocations have ended elsewhere. */
  readonly endedElsewhere: () => number;
  /** After this time without the end of any invocation `idle` gives up; a minute by default. */
  readonly standstillMs?: number;
  readonly log: (line: string) => void;
};

export type EventSources = {
  /** The stream batches that were given up. On AWS they are objects in S3. */
  readonly streamFailures: () => readonly FailureObject[];
  /** Delivers a topic's message to the functions that the template subscribes. */
  readonly deliver: TopicDeliveries['deliver'];
  /** Follows the current model. */
  readonly adopt: () => void;
  /**
   * Resolves when nothing is under way: every stream was read and consumed to its end, every queue with a poller is empty,
   * no invocation runs or waits for its retry. A message that will be delivered again counts as under way.
   *
   * @param whileWaiting called when only messages are left whose time has not come; it may let that time pass
   * @throws an Error with an external DynamoDB, because the ends of its streams are not known here, and after the
   * time `standstillMs` in which no invocation ended, scheduled ones included
   */
  readonly idle: (whileWaiting?: () => unknown) => Promise<void>;
  /** The work that `idle` waits for, by paths in the template. */
  readonly underWay: () => string[];
  /** Starts no new invocations from now on. */
  readonly stop: () => void;
  /** Waits for the running invocations. */
  readonly finished: () => Promise<void>;
};

export function startEventSources(options: EventSourceOptions): EventSources {
  const { model, dynamo, queues, putObject, dataDir, log } = options;
  const checkpoints = openCheckpoints(dataDir);
  const sink = openFailureSink(putObject, () => new Date());
  const pollers = new Map<string, { source: EventSourceModel; poller: Poller }>();
  const all: { readonly path: string; readonly poller: Poller }[] = [];

  let ended = 0;
  const counted = async (functionArn: string, event: unknown) => {
    const result = await options.invoke(functionArn, event);
    ended += 1;
    return result;
  };
  const topics = openTopicDeliveries({ ...options, invoke: counted });

  const functionOf = ({ path, functionArn }: EventSourceModel): FunctionModel => {
    const found = model().functions.find(({ arn }) => arn === functionArn);
    if (!found) throw new Error(`${path}: there is no function ${functionArn}`);
    return found;
  };

  function start(source: EventSourceModel): Poller {
    const { region } = model();
    const refusal = (action: string, resource: string) => refusalOf(model(), functionOf(source), action, resource);
    const invoke = (event: unknown) => counted(source.functionArn, event);
    if (source.kind === 'queue') return startQueuePoller({ source, queues, region, invoke, refusal, log });
    const client = ({ accessKeyId }: Credentials) => dynamoDbClient(dynamo.url, region, accessKeyId) as StreamCall;
    const asAdministrator = client(administrator);
    return startStreamPoller({
      source,
      // No template knows the stream's label: it is the time when DynamoDB opened the stream.
      findStream: async () =>
        (await asAdministrator('DescribeTable', { TableName: source.tableName })).Table.LatestStreamArn,
      call: client(credentialsOf(functionOf(source))),
      invoke,
      giveUp: async (record, shardId) => {
        const { failuresArn: bucket } = source;
        const refused = bucket === null ? undefined : refusal('s3:PutObject', `${bucket}/aws/lambda/failure`);
        if (refused) log(`${source.path}: records are lost: ${refused}`);
        if (bucket !== null && !refused) await sink.put(bucket, source.path, shardId, record);
      },
      onCommit: dynamo.onCommit,
      newestRecord: () => dynamo.newestRecord?.(source.tableName),
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
      all.push({ path: source.path, poller });
    }
  }

  const busy = () => all.filter(({ poller }) => !poller.isIdle());
  const underWay = () => [
    ...busy().map(({ path }) => path),
    ...(topics.isIdle() ? [] : ['a message of a topic']),
    ...(options.isIdleElsewhere() ? [] : ['an application event or a schedule']),
  ];

  adopt();
  return {
    streamFailures: sink.objects,
    deliver: topics.deliver,
    adopt,
    idle: async (whileWaiting) => {
      if (!dynamo.newestRecord) throw new Error('where the streams of an external DynamoDB end, nobody here knows');
      const isWaiting = () =>
        topics.isIdle() && options.isIdleElsewhere() && busy().every(({ poller }) => poller.isWaiting?.());
      const allEnded = () => ended + options.endedElsewhere();
      await untilIdle({ names: underWay, isWaiting, ended: allEnded }, whileWaiting, options.standstillMs);
    },
    underWay,
    stop: () => {
      topics.stop();
      for (const { poller } of pollers.values()) poller.stop();
    },
    finished: async () => {
      await Promise.all([topics, ...all.map(({ poller }) => poller)].map((each) => each.finished()));
    },
  };
}
