import type { SeededUser } from '../contract/product.ts';
import { createTables } from './create-tables.ts';
import { accessCheck, expiryCheck, kmsCheck, s3Check, serviceCheck, sqsCheck } from './credentials.ts';
import { type DynamoDb, type DynamoDbOptions, startDynamoDb } from './dynamodb/front.ts';
import { type EventBus, startEventBus } from './event-bus/event-bus.ts';
import type { FrontOptions } from './identity/cognito/front.ts';
import { type Issuer, type KeySetFault, startIssuer } from './identity/issuer.ts';
import { startKms } from './kms/kms.ts';
import { type LambdaOptions, startLambda } from './lambda/lambda.ts';
import type { StageModel } from './model.ts';
import { startPlatforms } from './platform-applications.ts';
import { type S3, type S3Options, startS3 } from './s3/s3.ts';
import type { JsonHooks } from './service/json-service.ts';
import { type Ses, type SesOptions, startSes } from './ses/ses.ts';
import type { Notification, Sns, SnsOptions } from './sns/sns.ts';
import { type Queues, startSqs } from './sqs/sqs.ts';

/** The AWS services that a stage's functions call, with the resources and the policies of the template. */

/** For tests: called for each allowed call, and returns the fault for the call. */
type Intercepts = {
  readonly dynamodb?: DynamoDbOptions['intercept'];
  readonly cognito?: FrontOptions['intercept'];
  /** A fetch of a user pool's keys. */
  readonly keySet?: (() => KeySetFault | undefined) | undefined;
  readonly sns?: SnsOptions['intercept'];
  readonly sqs?: JsonHooks['intercept'];
  readonly s3?: S3Options['intercept'];
  readonly ses?: SesOptions['intercept'];
  readonly kms?: JsonHooks['intercept'];
  readonly lambda?: LambdaOptions['intercept'];
  readonly eventbridge?: JsonHooks['intercept'];
};

export type ServicesOptions = {
  /** Tables, objects, users, keys and endpoints are kept there; undefined keeps all in memory. */
  readonly dataDir?: string | undefined;
  /** An external DynamoDB that replaces the one in this process. */
  readonly dynamoEndpoint?: string | undefined;
  /** An external SNS that replaces the one in this process. */
  readonly snsEndpoint?: string | undefined;
  /** An external SES that replaces the one in this process. */
  readonly sesEndpoint?: string | undefined;
  readonly intercept?: Intercepts | undefined;
  /** For tests: called with the consumed capacity of each call to DynamoDB. */
  readonly onConsumed?: DynamoDbOptions['onConsumed'];
  /** The user pools' time, in milliseconds since 1970. */
  readonly userPoolNow?: (() => number) | undefined;
  /** The users who can sign in from the start. */
  readonly users?: readonly SeededUser[] | undefined;
};

type Hooks = {
  readonly log: (line: string) => void;
  /** Called with SNS's events about its endpoints. */
  readonly onNotification: (notification: Notification) => void;
  /** Invokes the user pools' triggers, and what functions invoke. */
  readonly invoke: NonNullable<Parameters<typeof startIssuer>[0]['invoke']>;
};

export type Services = {
  readonly dynamo: DynamoDb;
  readonly issuer: Issuer;
  /** Null if an external SNS replaces it. */
  readonly sns: Sns | null;
  /** Null if an external SES replaces it. */
  readonly ses: Ses | null;
  readonly queues: Queues;
  readonly s3: Pick<S3, 'put'>;
  readonly events: EventBus['events'];
  readonly urls: Readonly<Record<keyof typeof endpointVariables, string>>;
  /** Adds the new resources of another template and keeps the existing ones. @returns the names of the new tables */
  readonly adopt: (next: StageModel) => Promise<string[]>;
  readonly close: () => Promise<void>;
};

/**
 * The variables by which the SDK finds the services:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
const endpointVariables = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  cognito: 'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER',
  sns: 'AWS_ENDPOINT_URL_SNS',
  sqs: 'AWS_ENDPOINT_URL_SQS',
  s3: 'AWS_ENDPOINT_URL_S3',
  ses: 'AWS_ENDPOINT_URL_SESV2',
  kms: 'AWS_ENDPOINT_URL_KMS',
  lambda: 'AWS_ENDPOINT_URL_LAMBDA',
  eventbridge: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
} as const;

export function endpointsIn(urls: Services['urls']): Record<string, string> {
  const names = Object.keys(endpointVariables) as (keyof typeof endpointVariables)[];
  return Object.fromEntries(names.map((name) => [endpointVariables[name], urls[name]]));
}

export async function startServices(
  model: () => StageModel,
  options: ServicesOptions,
  { log, onNotification, invoke }: Hooks,
): Promise<Services> {
  await using started = new AsyncDisposableStack();
  const owned = <S extends { close: () => Promise<void> }>(service: S): S => {
    started.defer(() => service.close());
    return service;
  };
  const { dataDir, users, onConsumed, dynamoEndpoint, snsEndpoint, sesEndpoint, intercept = {} } = options;
  const { region, accountId, ...template } = model();
  const account = { region, accountId };
  /** What the template's policies and a test say of a call. */
  const judged = <A, I>(authorize: A, fault: I) => ({ authorize, intercept: fault });

  if (dynamoEndpoint) await assertAnswers(dynamoEndpoint);
  const dynamo = owned(
    await startDynamoDb({
      ...account,
      ...judged(accessCheck(model), intercept.dynamodb),
      dataDir: dataDir && `${dataDir}/dynamodb`,
      endpoint: dynamoEndpoint,
      verifiesCalls: true,
      mayExpire: expiryCheck(model, log),
      onConsumed,
    }),
  );
  const issuer = owned(
    await startIssuer({
      ...{ model, dataDir, users, invoke, now: options.userPoolNow },
      ...judged(serviceCheck(model, 'cognito-idp'), intercept.cognito),
      interceptKeySet: intercept.keySet,
    }),
  );
  await createTables(dynamo.url, region, template.tables);
  const toSns = { endpoint: snsEndpoint, dataDir, intercept: intercept.sns, onEvent: onNotification };
  const platforms = owned(await startPlatforms(model, toSns));
  const ofSes = { ...account, ...judged(serviceCheck(model, 'ses'), intercept.ses) };
  const ses = sesEndpoint ? null : owned(await startSes(ofSes));
  const { queues, buckets, keys, eventBuses: buses } = template;
  const sqs = owned(await startSqs({ queues, ...judged(sqsCheck(model), intercept.sqs) }));
  const s3 = owned(await startS3({ region, buckets, dataDir, ...judged(s3Check(model), intercept.s3) }));
  const kms = owned(await startKms({ ...account, keys, dataDir, ...judged(kmsCheck(model), intercept.kms) }));
  const functions = () => model().functions;
  const ofLambda = judged(serviceCheck(model, 'lambda'), intercept.lambda);
  const lambda = owned(await startLambda({ ...account, functions, invoke, ...ofLambda }));
  const ofEvents = judged(serviceCheck(model, 'events'), intercept.eventbridge);
  const eventBus = owned(await startEventBus({ buses, log, ...ofEvents }));

  const running = started.move();
  return {
    dynamo,
    issuer,
    sns: platforms.sns,
    ses,
    queues: sqs.queues,
    s3,
    events: eventBus.events,
    urls: {
      dynamodb: dynamo.url,
      cognito: issuer.url,
      sns: platforms.url,
      sqs: sqs.url,
      s3: s3.url,
      ses: sesEndpoint ?? ses?.url ?? '',
      kms: kms.url,
      lambda: lambda.url,
      eventbridge: eventBus.url,
    },
    adopt: async (next) => {
      const created = await createTables(dynamo.url, region, next.tables);
      await kms.adopt(next.keys);
      await s3.adopt(next.buckets);
      sqs.adopt(next.queues);
      eventBus.adopt(next.eventBuses);
      return created;
    },
    close: () => running.disposeAsync(),
  };
}

async function assertAnswers(endpoint: string): Promise<void> {
  await fetch(endpoint).catch((error: unknown) => {
    throw new Error(`no DynamoDB answers at ${endpoint}`, { cause: error });
  });
}
