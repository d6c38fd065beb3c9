import { isDeepStrictEqual } from 'node:util';
import type { PlatformApplications } from '../contract/push-platforms.ts';
import { createTables } from './create-tables.ts';
import {
  accessCheck,
  administrator,
  type Credentials,
  credentialsOf,
  expiryCheck,
  kmsCheck,
  s3Check,
  serviceCheck,
  sqsCheck,
} from './credentials.ts';
import { type Call, type DynamoDbOptions, type Fault, startDynamoDb } from './dynamodb/front.ts';
import { type EventBus, startEventBus } from './event-bus/event-bus.ts';
import { type EventSources, startEventSources } from './event-sources/event-sources.ts';
import { type FunctionHostOptions, startFunctions } from './functions/host.ts';
import { type InvokeResult, invokeFailure } from './functions/result.ts';
import type { UserPoolCall, UserPoolFault } from './identity/cognito/front.ts';
import { type Issuer, type KeySetFault, startIssuer } from './identity/issuer.ts';
import { type SeededUser, seededUserId } from './identity/seeded-users.ts';
import type { JsonHooks } from './json-service.ts';
import { startKms } from './kms/kms.ts';
import type { FunctionModel, StageModel } from './model.ts';
import { applicationsToldIn, startPlatforms } from './platform-applications.ts';
import { type S3Call, type S3Fault, startS3 } from './s3/s3.ts';
import { type Schedules, startSchedules } from './schedules/schedules.ts';
import type { Sns, SnsCall, SnsFault } from './sns/sns.ts';
import { type Queues, startSqs } from './sqs/sqs.ts';
import { bucketNamed, tableNamed } from './table-named.ts';
import { openSecrets } from './template/secrets.ts';
import { readStageModel } from './template/stage-model.ts';

/** What stands behind the gateway: tables, user pools and functions, as the template has them. */

/** Where the data is, for who fills or inspects it: no policy limits these credentials. */
export type DataAccess = {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
  /** The physical name of a table: `Agreements` → `dev-…-Agreements…`. @throws an Error for one that is not there */
  readonly tables: (name: string) => string;
  readonly snsEndpoint: string;
  readonly kmsEndpoint: string;
  readonly eventBusEndpoint: string;
  readonly s3Endpoint: string;
  /** The physical name of a bucket: `StreamFailures` → `dev-…-streamfailures-…`. @throws an Error for one that is not there */
  readonly buckets: (name: string) => string;
  /** Those that the template's functions are told of. */
  readonly platformApplications: () => PlatformApplications;
  /** The `sub` of who can sign in from the start. */
  readonly seededUserId: (application: string, name: string) => string | null;
};

export type BackendOptions = {
  /** Tables, keys and secrets are kept there; undefined keeps all in memory. */
  readonly dataDir?: string | undefined;
  /** An external DynamoDB in place of the one in this process. */
  readonly dynamoEndpoint?: string | undefined;
  /** Fills fresh tables, and leaves filled ones as they are; runs at every start. */
  readonly seed?: ((data: DataAccess) => Promise<unknown>) | undefined;
  readonly onLog?: FunctionHostOptions['onLog'] | undefined;
  /** For tests: what shall go wrong with a call to DynamoDB. */
  readonly intercept?: ((call: Call) => Fault | undefined) | undefined;
  /** For tests: told what each call to DynamoDB consumed. */
  readonly onConsumed?: DynamoDbOptions['onConsumed'];
  /** The same of a call to Cognito. */
  readonly interceptUserPool?: ((call: UserPoolCall) => UserPoolFault | undefined) | undefined;
  /** The same of a fetch of the user pools' keys. */
  readonly interceptKeySet?: (() => KeySetFault | undefined) | undefined;
  /** An external SNS in place of the one in this process. */
  readonly snsEndpoint?: string | undefined;
  /** The same of a call to SNS. */
  readonly interceptSns?: ((call: SnsCall) => SnsFault | undefined) | undefined;
  /** What keeps an event-source mapping from its work, or was given up. */
  readonly onSourceProblem?: ((line: string) => void) | undefined;
  /** The same of a call to SQS. */
  readonly interceptSqs?: JsonHooks['intercept'];
  /** The same of a call to S3. */
  readonly interceptS3?: ((call: S3Call) => S3Fault | undefined) | undefined;
  /** The same of a call to KMS. */
  readonly interceptKms?: JsonHooks['intercept'];
  /** The same of a call to EventBridge. */
  readonly interceptEvents?: JsonHooks['intercept'];
  /** The user pools' time, in milliseconds since 1970. */
  readonly userPoolNow?: (() => number) | undefined;
  /** Who can sign in from the start. */
  readonly users?: readonly SeededUser[] | undefined;
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
  const { dataDir, dynamoEndpoint: endpoint, seed, intercept, idleMs, onLog = () => undefined } = options;
  await using started = new AsyncDisposableStack();
  const secrets = openSecrets(dataDir);
  let model = readStageModel(directory, secrets);
  const { region, accountId } = model;

  if (endpoint) await assertAnswers(endpoint);
  const authorize = accessCheck(() => model);
  const tablesDir = dataDir && `${dataDir}/dynamodb`;
  const log = options.onSourceProblem ?? ((line: string) => console.error(line));
  const mayExpire = expiryCheck(() => model, log);
  const dynamo = await startDynamoDb({
    dataDir: tablesDir,
    endpoint,
    authorize,
    intercept,
    mayExpire,
    onConsumed: options.onConsumed,
    region,
    accountId,
  });
  started.defer(() => dynamo.close());
  const issuer = await startIssuer({
    model: () => model,
    dataDir,
    users: options.users,
    now: options.userPoolNow,
    authorize: serviceCheck(() => model, 'cognito-idp'),
    intercept: options.interceptUserPool,
    interceptKeySet: options.interceptKeySet,
  });
  started.defer(issuer.close);
  await createTables(dynamo.url, region, model.tables);
  let sources: EventSources | undefined;
  const platforms = await startPlatforms(() => model, {
    endpoint: options.snsEndpoint,
    dataDir,
    intercept: options.interceptSns,
    onEvent: (event) => sources?.deliver(event),
  });
  started.defer(platforms.close);

  const sqs = await startSqs({
    queues: model.queues,
    authorize: sqsCheck(() => model),
    intercept: options.interceptSqs,
  });
  started.defer(sqs.close);
  const s3 = await startS3({
    region,
    buckets: model.buckets,
    dataDir,
    authorize: s3Check(() => model),
    intercept: options.interceptS3,
  });
  started.defer(s3.close);
  const kms = await startKms({
    keys: model.keys,
    region,
    accountId,
    dataDir,
    authorize: kmsCheck(() => model),
    intercept: options.interceptKms,
  });
  started.defer(kms.close);
  const eventBus = await startEventBus({
    buses: model.eventBuses,
    log,
    authorize: serviceCheck(() => model, 'events'),
    intercept: options.interceptEvents,
  });
  started.defer(eventBus.close);
  // After the functions are gone, whose ends the pollers wait for.
  started.defer(async () => sources?.finished());
  let schedules: Schedules | undefined;
  started.defer(async () => schedules?.finished());

  const variables = (fn: FunctionModel) => {
    const { accessKeyId, secretAccessKey } = credentialsOf(fn);
    return {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ...(options.initWork === false && { AWS_LAMBDA_INITIALIZATION_TYPE: '' }),
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: issuer.url,
      AWS_ENDPOINT_URL_SNS: platforms.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      AWS_ENDPOINT_URL_S3: s3.url,
      AWS_ENDPOINT_URL_KMS: kms.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: eventBus.url,
    };
  };
  const functions = startFunctions({ variables, onLog, ...(idleMs !== undefined && { idleMs }) });
  started.defer(() => functions.close());

  const data = {
    endpoint: dynamo.url,
    region,
    credentials: administrator,
    tables: (name: string) => tableNamed(model, name),
    snsEndpoint: platforms.url,
    kmsEndpoint: kms.url,
    eventBusEndpoint: eventBus.url,
    s3Endpoint: s3.url,
    buckets: (name: string) => bucketNamed(model, name),
    platformApplications: () => applicationsToldIn(model),
    seededUserId: (application: string, name: string) => seededUserId(model, application, name),
  };
  await seed?.(data);
  const invoke: Backend['invoke'] = async (functionArn, event, invocation = {}) => {
    const fn = model.functions.find(({ arn }) => arn === functionArn);
    if (!fn) return invokeFailure('rejected', 'ResourceNotFoundException', `Function not found: ${functionArn}`);
    return functions.invoke(fn, event, invocation);
  };
  sources = startEventSources({
    model: () => model,
    dynamo,
    queues: sqs.queues,
    putObject: s3.put,
    dataDir,
    invoke,
    isIdleElsewhere: () => (platforms.sns?.waitingEvents() ?? 0) === 0 && (schedules?.isIdle() ?? true),
    endedElsewhere: () => schedules?.invocations() ?? 0,
    log,
  });
  const { adopt: followSources, stop, streamFailures, idle } = sources;
  started.defer(stop);
  schedules = startSchedules({ model: () => model, invoke, log });
  const { run: runSchedule, follow: followSchedules } = schedules;
  started.defer(async () => schedules?.stop());

  const owned = started.move();
  return {
    model: () => model,
    data,
    issuer,
    sns: platforms.sns,
    queues: sqs.queues,
    events: eventBus.events,
    runSchedule,
    sweepExpired: async (now) => (await dynamo.expire?.(now)) ?? 0,
    streamFailures,
    idle,
    invoke,
    replaceCode: (operation, codeDir) => {
      const isNew = (fn: FunctionModel) => fn.operation === operation;
      model = { ...model, functions: model.functions.map((fn) => (isNew(fn) ? { ...fn, codeDir } : fn)) };
      for (const fn of model.functions.filter(isNew)) functions.replace(fn);
    },
    adopt: async (directory) => {
      const next = readStageModel(directory, secrets);
      const created = await createTables(dynamo.url, region, next.tables);
      await kms.adopt(next.keys);
      await s3.adopt(next.buckets);
      const before = model.functions;
      model = next;
      for (const fn of next.functions) {
        const old = before.find(({ name }) => name === fn.name);
        if (old && !isDeepStrictEqual(old, fn)) functions.replace(fn);
      }
      sqs.adopt(next.queues);
      eventBus.adopt(next.eventBuses);
      followSources();
      followSchedules();
      if (created.length > 0) await seed?.(data);
      return created;
    },
    close: () => owned.disposeAsync(),
  };
}

async function assertAnswers(endpoint: string): Promise<void> {
  await fetch(endpoint).catch((error: unknown) => {
    throw new Error(`no DynamoDB answers at ${endpoint}`, { cause: error });
  });
}
