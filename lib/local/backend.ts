import { isDeepStrictEqual } from 'node:util';
import type { PlatformApplications } from '../contract/push-platforms.ts';
import { createTables } from './create-tables.ts';
import { accessCheck, administrator, type Credentials, credentialsOf, sqsCheck, userPoolCheck } from './credentials.ts';
import { type Call, type Fault, startDynamoDb } from './dynamodb/front.ts';
import { type EventSources, startEventSources } from './event-sources/event-sources.ts';
import { type FunctionHostOptions, startFunctions } from './functions/host.ts';
import { type InvokeResult, invokeFailure } from './functions/result.ts';
import type { UserPoolCall, UserPoolFault } from './identity/cognito/front.ts';
import { type Issuer, startIssuer } from './identity/issuer.ts';
import { type SeededUser, seededUserId } from './identity/seeded-users.ts';
import type { FunctionModel, StageModel } from './model.ts';
import { applicationsToldIn, startPlatforms } from './platform-applications.ts';
import type { Sns, SnsCall, SnsFault } from './sns/sns.ts';
import { type Queues, type SqsCall, type SqsFault, startSqs } from './sqs/sqs.ts';
import { tableNamed } from './table-named.ts';
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
  /** The same of a call to Cognito. */
  readonly interceptUserPool?: ((call: UserPoolCall) => UserPoolFault | undefined) | undefined;
  /** An external SNS in place of the one in this process. */
  readonly snsEndpoint?: string | undefined;
  /** The same of a call to SNS. */
  readonly interceptSns?: ((call: SnsCall) => SnsFault | undefined) | undefined;
  /** What keeps an event-source mapping from its work, or was given up. */
  readonly onSourceProblem?: ((line: string) => void) | undefined;
  /** The same of a call to SQS. */
  readonly interceptSqs?: ((call: SqsCall) => SqsFault | undefined) | undefined;
  /** The user pools' time, in milliseconds since 1970. */
  readonly userPoolNow?: (() => number) | undefined;
  /** Who can sign in from the start. */
  readonly users?: readonly SeededUser[] | undefined;
  readonly idleMs?: number | undefined;
};

export type Backend = {
  readonly model: () => StageModel;
  readonly data: DataAccess;
  readonly issuer: Issuer;
  /** Null where an external one is in its place. */
  readonly sns: Sns | null;
  readonly queues: Queues;
  /** What of streams was given up; on AWS it lies in S3. Oldest first. */
  readonly streamFailures: EventSources['streamFailures'];
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
  const dynamo = await startDynamoDb({ dataDir: tablesDir, endpoint, authorize, intercept, region, accountId });
  started.defer(() => dynamo.close());
  const issuer = await startIssuer({
    model: () => model,
    dataDir,
    users: options.users,
    now: options.userPoolNow,
    authorize: userPoolCheck(() => model),
    intercept: options.interceptUserPool,
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
  // After the functions are gone, whose ends the pollers wait for.
  started.defer(async () => sources?.finished());

  const variables = (fn: FunctionModel) => {
    const { accessKeyId, secretAccessKey } = credentialsOf(fn);
    return {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: issuer.url,
      AWS_ENDPOINT_URL_SNS: platforms.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
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
    dataDir,
    invoke,
    log: options.onSourceProblem ?? ((line) => console.error(line)),
  });
  const { adopt: followSources, stop, streamFailures } = sources;
  started.defer(stop);

  const owned = started.move();
  return {
    model: () => model,
    data,
    issuer,
    sns: platforms.sns,
    queues: sqs.queues,
    streamFailures,
    invoke,
    replaceCode: (operation, codeDir) => {
      const isNew = (fn: FunctionModel) => fn.operation === operation;
      model = { ...model, functions: model.functions.map((fn) => (isNew(fn) ? { ...fn, codeDir } : fn)) };
      for (const fn of model.functions.filter(isNew)) functions.replace(fn);
    },
    adopt: async (directory) => {
      const next = readStageModel(directory, secrets);
      const created = await createTables(dynamo.url, region, next.tables);
      const before = model.functions;
      model = next;
      for (const fn of next.functions) {
        const old = before.find(({ name }) => name === fn.name);
        if (old && !isDeepStrictEqual(old, fn)) functions.replace(fn);
      }
      sqs.adopt(next.queues);
      followSources();
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
