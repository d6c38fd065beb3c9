import { isDeepStrictEqual } from 'node:util';
import { credentialsOf } from './credentials.ts';
import { type DataAccess, dataAccess } from './data-access.ts';
import type { EventBus } from './event-bus/event-bus.ts';
import { type EventSources, startEventSources } from './event-sources/event-sources.ts';
import { type FunctionHostOptions, startFunctions } from './functions/host.ts';
import { type InvokeResult, invokeFailure } from './functions/result.ts';
import type { Issuer } from './identity/issuer.ts';
import type { FunctionModel, StageModel } from './model.ts';
import { type Schedules, startSchedules } from './schedules/schedules.ts';
import { endpointsIn, type ServicesOptions, startServices } from './services.ts';
import type { Ses } from './ses/ses.ts';
import type { Sns } from './sns/sns.ts';
import type { Queues } from './sqs/sqs.ts';
import { openSecrets } from './template/secrets.ts';
import { readStageModel } from './template/stage-model.ts';

/** What stands behind the gateway: services, functions and what invokes them, as the template has them. */

export type BackendOptions = ServicesOptions & {
  /** Fills fresh tables, and leaves filled ones as they are; runs at every start. */
  readonly seed?: ((data: DataAccess) => Promise<unknown>) | undefined;
  readonly onLog?: FunctionHostOptions['onLog'] | undefined;
  /** What keeps an event-source mapping from its work, or was given up. */
  readonly onSourceProblem?: ((line: string) => void) | undefined;
  readonly idleMs?: number | undefined;
  /**
   * For tests that count or fail requests: false leaves AWS_LAMBDA_INITIALIZATION_TYPE empty, by which a function knows
   * that Lambda initializes it, so that it sends nothing before its first invocation.
   */
  readonly initWork?: boolean | undefined;
};

export type Backend = {
  readonly model: () => StageModel;
  readonly data: DataAccess;
  readonly issuer: Issuer;
  /** Null where an external one is in its place. */
  readonly sns: Sns | null;
  /** Null where an external one is in its place. */
  readonly ses: Ses | null;
  readonly queues: Queues;
  /** What was put on the event buses, oldest first; no rule takes it from there. */
  readonly events: EventBus['events'];
  /** Invokes the functions of an operation's scheduled rules at once, as the rules do. */
  readonly runSchedule: Schedules['run'];
  /**
   * Deletes the rows that are past their time to live by then, as is done every minute; nothing with an external DynamoDB.
   *
   * @param now milliseconds since 1970
   * @returns how many went
   */
  readonly sweepExpired: (now?: number) => Promise<number>;
  /** What of streams was given up; on AWS it lies in S3. Oldest first. */
  readonly streamFailures: EventSources['streamFailures'];
  /** Resolves when nothing is under way behind the answers: in streams, queues, topics and schedules. */
  readonly idle: EventSources['idle'];
  readonly invoke: (functionArn: string, event: unknown, options?: { requestId?: string }) => Promise<InvokeResult>;
  /** New code of an operation, in whichever functions have it. */
  readonly replaceCode: (operation: string, codeDir: string) => void;
  /** Another synthesized template in place of this one. @returns the names of the tables that it added */
  readonly adopt: (directory: string) => Promise<string[]>;
  readonly close: () => Promise<void>;
};

export async function startBackend(directory: string, options: BackendOptions = {}): Promise<Backend> {
  const { dataDir, seed, idleMs, initWork = true, onLog = () => undefined } = options;
  await using started = new AsyncDisposableStack();
  const secrets = openSecrets(dataDir);
  let current = readStageModel(directory, secrets);
  const model = () => current;
  const log = options.onSourceProblem ?? ((line: string) => console.error(line));
  let sources: EventSources | undefined;
  const services = await startServices(model, options, {
    log,
    onNotification: (notification) => sources?.deliver(notification),
  });
  started.defer(services.close);
  const { dynamo, queues, sns, ses } = services;
  // After the functions are gone, whose ends the pollers wait for.
  started.defer(async () => sources?.finished());
  let schedules: Schedules | undefined;
  started.defer(async () => schedules?.finished());

  const variables = (fn: FunctionModel) => {
    const { accessKeyId, secretAccessKey } = credentialsOf(fn);
    return {
      ...endpointsIn(services.urls),
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ...(!initWork && { AWS_LAMBDA_INITIALIZATION_TYPE: '' }),
    };
  };
  const functions = startFunctions({ variables, onLog, ...(idleMs !== undefined && { idleMs }) });
  started.defer(() => functions.close());

  const data = dataAccess(model, services);
  await seed?.(data);
  const invoke: Backend['invoke'] = async (functionArn, event, invocation = {}) => {
    const fn = current.functions.find(({ arn }) => arn === functionArn);
    if (!fn) return invokeFailure('rejected', 'ResourceNotFoundException', `Function not found: ${functionArn}`);
    return functions.invoke(fn, event, invocation);
  };
  sources = startEventSources({
    model,
    dynamo,
    queues,
    putObject: services.s3.put,
    dataDir,
    invoke,
    isIdleElsewhere: () => (sns?.waitingEvents() ?? 0) === 0 && (schedules?.isIdle() ?? true),
    endedElsewhere: () => schedules?.invocations() ?? 0,
    log,
  });
  const { adopt: followSources, stop, streamFailures, idle } = sources;
  started.defer(stop);
  schedules = startSchedules({ model, invoke, log });
  const { run: runSchedule, follow: followSchedules } = schedules;
  started.defer(async () => schedules?.stop());

  const owned = started.move();
  return {
    model,
    data,
    issuer: services.issuer,
    sns,
    ses,
    queues,
    events: services.events,
    runSchedule,
    sweepExpired: async (now) => (await dynamo.expire?.(now)) ?? 0,
    streamFailures,
    idle,
    invoke,
    replaceCode: (operation, codeDir) => {
      const isNew = (fn: FunctionModel) => fn.operation === operation;
      current = { ...current, functions: current.functions.map((fn) => (isNew(fn) ? { ...fn, codeDir } : fn)) };
      for (const fn of current.functions.filter(isNew)) functions.replace(fn);
    },
    adopt: async (directory) => {
      const next = readStageModel(directory, secrets);
      const created = await services.adopt(next);
      const before = current.functions;
      current = next;
      for (const fn of next.functions) {
        const old = before.find(({ name }) => name === fn.name);
        if (old && !isDeepStrictEqual(old, fn)) functions.replace(fn);
      }
      followSources();
      followSchedules();
      if (created.length > 0) await seed?.(data);
      return created;
    },
    close: () => owned.disposeAsync(),
  };
}
