import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { credentialsOf } from './credentials.ts';
import { type DataAccess, dataAccess } from './data-access.ts';
import type { EventBus } from './event-bus/event-bus.ts';
import { type EventSources, startEventSources } from './event-sources/event-sources.ts';
import { type FunctionHostOptions, startFunctions } from './functions/host.ts';
import { type InvokeResult, invokeFailure } from './functions/result.ts';
import type { Issuer } from './identity/issuer.ts';
import type { FunctionModel, StageModel } from './model.ts';
import { patientModel } from './patience.ts';
import { type Schedules, startSchedules } from './schedules/schedules.ts';
import { endpointsIn, type ServicesOptions, startServices } from './services.ts';
import type { Ses } from './ses/ses.ts';
import type { Sns } from './sns/sns.ts';
import type { Queues } from './sqs/sqs.ts';
import { openSecrets } from './template/secrets.ts';
import { readStageModel, type StageFiles } from './template/stage-model.ts';

/** Everything behind the gateway: the template's services, its functions, and what invokes the functions. */

export type BackendOptions = ServicesOptions & {
  /** Fills new tables and leaves filled tables unchanged. Runs at every start. */
  readonly seed?: ((data: DataAccess) => Promise<unknown>) | undefined;
  readonly onLog?: FunctionHostOptions['onLog'] | undefined;
  /** Functions in one thread of this process, in place of a process for each. */
  readonly inThread?: boolean | undefined;
  /** Gets a line when an event-source mapping cannot work, or when a batch is given up. */
  readonly onSourceProblem?: ((line: string) => void) | undefined;
  readonly idleMs?: number | undefined;
  /** False: scheduled functions run only when they are asked for. A test of another thing then meets none of them after minutes. */
  readonly isTimed?: boolean | undefined;
  /** Execution environments of one function at a time. Default: 10. */
  readonly maxEnvironments?: number | undefined;
  /**
   * For tests that count or fail requests: false leaves AWS_LAMBDA_INITIALIZATION_TYPE empty. By this variable a
   * function knows that Lambda initializes it; without it the function sends nothing before its first invocation.
   */
  readonly initWork?: boolean | undefined;
  /**
   * How many times longer than on AWS something may take before it counts as failed: the time-outs of functions and of
   * whoever waits for one, the limits inside functions, and (less) the visibility of queues and `idle`. Default: the variable PATIENCE, which the tests set, or 1.
   */
  readonly patience?: number | undefined;
  /** The functions' own limits of a call that are timers, in milliseconds; `AbortSignal.timeout` is known without it. */
  readonly functionLimitsMs?: readonly number[] | undefined;
};

export type Backend = {
  readonly model: () => StageModel;
  readonly data: DataAccess;
  readonly issuer: Issuer;
  /** Null if an external SNS replaces it. */
  readonly sns: Sns | null;
  /** Null if an external SES replaces it. */
  readonly ses: Ses | null;
  readonly queues: Queues;
  /** The events that were put on the event buses, oldest first. No rule delivers them. */
  readonly events: EventBus['events'];
  /** Invokes the functions of an operation's scheduled rules now, in the same way as the rules. */
  readonly runSchedule: Schedules['run'];
  /**
   * Deletes the rows whose time to live has passed at `now`. This also happens every minute. Does nothing with an
   * external DynamoDB.
   *
   * @param now milliseconds since 1970
   * @returns the number of deleted rows
   */
  readonly sweepExpired: (now?: number) => Promise<number>;
  /** The stream batches that were given up, oldest first. On AWS they are objects in S3. */
  readonly streamFailures: EventSources['streamFailures'];
  /** Resolves when no work is under way in streams, queues, topics and schedules. */
  readonly idle: EventSources['idle'];
  readonly invoke: (functionArn: string, event: unknown, options?: { requestId?: string }) => Promise<InvokeResult>;
  /** Gives new code, and another memory size if one is given, to all functions of an operation. */
  readonly replaceCode: (operation: string, codeDir: string, memoryMb?: number) => void;
  /** Gives another value of a variable to all functions that have it, or to those of some operations, as Lambda's UpdateFunctionConfiguration does. */
  readonly replaceVariable: (name: string, value: string, isWanted?: (operation: string) => boolean) => void;
  /** Where the functions run in a thread: those that a changed file is in get new environments. @param files paths @returns their operations, or why the old code goes on */
  readonly reload: (
    files: readonly string[],
  ) => Promise<{ readonly replaced: readonly string[] } | { readonly error: string }>;
  /** Replaces the template by another synthesized one. @returns the names of the tables that it added */
  readonly adopt: (files: StageFiles) => Promise<string[]>;
  readonly close: () => Promise<void>;
};

/** A healthy wait is far shorter; a mapping whose role may not read never ends. A test, which ends after minutes, still hears the reason. */
const standstillMs = { usual: 60_000, longest: 240_000 };

export async function startBackend(files: StageFiles, options: BackendOptions = {}): Promise<Backend> {
  const { dataDir, seed, idleMs, isTimed, maxEnvironments, initWork = true, onLog = () => undefined } = options;
  await using started = new AsyncDisposableStack();
  const secrets = openSecrets(dataDir);
  const { patience: factor = Number(process.env.PATIENCE ?? 1), functionLimitsMs: limitsMs = [] } = options;
  let current = patientModel(readStageModel(files, secrets), factor);
  const model = () => current;
  const log = options.onSourceProblem ?? ((line: string) => console.error(line));
  let sources: EventSources | undefined;
  const services = await startServices(model, options, {
    log,
    onNotification: (notification) => sources?.deliver(notification),
    invoke: (functionArn, event) => invoke(functionArn, event),
  });
  started.defer(services.close);
  const { dynamo, queues, sns, ses } = services;
  // Runs after the functions have ended, because the pollers wait for their ends.
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
  const functions = startFunctions({
    variables,
    onLog,
    patience: { factor, limitsMs },
    inThread: options.inThread ?? false,
    ...(idleMs !== undefined && { idleMs }),
    ...(maxEnvironments !== undefined && { maxEnvironments }),
  });
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
    standstillMs: Math.min(standstillMs.usual * factor, standstillMs.longest),
    dataDir,
    invoke,
    isIdleElsewhere: () => (sns?.waitingEvents() ?? 0) === 0 && (schedules?.isIdle() ?? true),
    endedElsewhere: () => schedules?.invocations() ?? 0,
    log,
  });
  const { adopt: followSources, stop, streamFailures, idle } = sources;
  started.defer(stop);
  schedules = startSchedules({ model, invoke, log, isTimed });
  const { run: runSchedule, follow: followSchedules } = schedules;
  started.defer(async () => schedules?.stop());

  const replace = (isNew: (fn: FunctionModel) => boolean, changed: (fn: FunctionModel) => FunctionModel) => {
    const stale = new Set(current.functions.filter(isNew));
    const next = current.functions.map((fn) => [fn, stale.has(fn) ? changed(fn) : fn] as const);
    current = { ...current, functions: next.map(([, fn]) => fn) };
    for (const [fn, instead] of next) if (fn !== instead) functions.replace(instead);
  };

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
    replaceCode: (operation, codeDir, memoryMb) => {
      const changed = { codeDir, ...(memoryMb !== undefined && { memoryMb }) };
      replace(
        (fn) => fn.operation === operation,
        (fn) => ({ ...fn, ...changed }),
      );
    },
    replaceVariable: (name, value, isWanted = () => true) => {
      replace(
        (fn) => fn.environment[name] !== undefined && isWanted(fn.operation),
        (fn) => ({ ...fn, environment: { ...fn.environment, [name]: value } }),
      );
    },
    reload: async (files) => {
      const entryOf = ({ codeDir }: FunctionModel) => join(codeDir, 'index.mjs');
      const changed = await functions.change(files, [...new Set(current.functions.map(entryOf))]);
      if ('error' in changed) return changed;
      const isReached = (fn: FunctionModel) => changed.reaching.includes(entryOf(fn));
      const replaced = [...new Set(current.functions.filter(isReached).map(({ operation }) => operation))];
      replace(isReached, (fn) => ({ ...fn }));
      return { replaced };
    },
    adopt: async (files) => {
      const next = patientModel(readStageModel(files, secrets), factor);
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
