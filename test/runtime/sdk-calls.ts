import { CognitoIdentityProviderClient, InitiateAuthCommand } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { callLimits } from '../../lib/runtime/limits.ts';
import type { FaultName } from './faulty-server.ts';

/** Run in a process of its own, once with the SDK as it is and once as the functions are bundled: `SERVER`, `WHO`. */

const environment = process.env;
const { SERVER = '', WHO = '' } = environment;
// Two attempts in place of three, as the wait after a throttling is half a second and more each time; and limits that a
// busy machine does not reach, but where the time-out is what is asked for.
const limits = { ...callLimits, maxAttempts: 2 };
const at = (fault: FaultName) => ({
  ...limits,
  endpoint: `${SERVER}/${WHO}/${fault}`,
  requestHandler: {
    ...callLimits.requestHandler,
    connectionTimeout: 20_000,
    requestTimeout: fault === 'silent' ? 500 : 20_000,
  },
});

const get = (fault: FaultName) => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(at(fault)));
  return client.send(new GetCommand({ TableName: 't', Key: { id: 'a' }, ConsistentRead: true }));
};
const Item = { id: 'a', tags: new Set(['x']), n: 1.5, nothing: null };
const ConditionExpression = 'attribute_not_exists(id)';
const transact = (fault: FaultName) =>
  DynamoDBDocumentClient.from(new DynamoDBClient(at(fault))).send(
    new TransactWriteCommand({
      ClientRequestToken: 'token',
      TransactItems: [{ Put: { TableName: 't', Item, ConditionExpression } }],
    }),
  );
const publish = (fault: FaultName) => {
  const MessageAttributes = { kind: { DataType: 'String', StringValue: 'k&<' } };
  return new SNSClient(at(fault)).send(new PublishCommand({ TargetArn: 'arn', Message: 'm', MessageAttributes }));
};
const sendBatch = (fault: FaultName) =>
  new SQSClient({ ...at(fault), useQueueUrlAsEndpoint: false, md5: false }).send(
    new SendMessageBatchCommand({ QueueUrl: 'https://sqs.test/q', Entries: [{ Id: '0', MessageBody: 'm' }] }),
  );
const signIn = (fault: FaultName) => {
  const AuthParameters = { USERNAME: 'u', PASSWORD: 'p' };
  const sent = new InitiateAuthCommand({ AuthFlow: 'USER_PASSWORD_AUTH', ClientId: 'c', AuthParameters });
  return new CognitoIdentityProviderClient(at(fault)).send(sent);
};
const sign = (fault: FaultName) =>
  new KMSClient(at(fault)).send(
    new SignCommand({ KeyId: 'k', Message: Buffer.from('m'), SigningAlgorithm: 'ECDSA_SHA_256' }),
  );
const putEvents = (fault: FaultName) =>
  new EventBridgeClient(at(fault)).send(
    new PutEventsCommand({ Entries: [{ Source: 's', DetailType: 'd', Detail: '{}', Time: new Date(0) }] }),
  );
const s3 = (fault: FaultName) => new S3Client({ ...at(fault), forcePathStyle: true });
const getObject = async (fault: FaultName) => {
  const { Body, ...more } = await s3(fault).send(new GetObjectCommand({ Bucket: 'b', Key: 'k' }));
  return { ...more, text: await Body?.transformToString() };
};
const putObject = (fault: FaultName) =>
  s3(fault).send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: 'hello', ContentType: 'text/plain' }));

const calls: Record<FaultName, (fault: FaultName) => Promise<unknown>> = {
  none: get,
  condition: get,
  canceled: transact,
  throttledOnce: get,
  throttled: get,
  busyOnce: get,
  broken: transact,
  page: get,
  unknown: get,
  denied: get,
  expired: get,
  skewed: get,
  malformed: get,
  empty: get,
  reset: get,
  resetOnce: get,
  silent: get,
  cut: get,
  published: publish,
  disabled: publish,
  snsThrottled: publish,
  snsUnknown: publish,
  sent: sendBatch,
  noQueue: sendBatch,
  refused: signIn,
  signedIn: signIn,
  signed: sign,
  keyDisabled: sign,
  eventsPut: putEvents,
  object: getObject,
  noObject: getObject,
  stored: putObject,
};

/** All that a caller can tell of what came back. */
async function outcome(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return { value: plain(await call()) };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: String(error) };
    const { name, message, cause } = error;
    const more = Object.fromEntries(Object.entries(error).filter(([key]) => !/^\$(response|source)$/.test(key)));
    return {
      name,
      message: withoutWho(message),
      keys: Object.keys(error).sort(),
      more: plain(more),
      cause: plain(cause),
    };
  }
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (key, part) => {
    if (key === 'totalRetryDelay' || key === 'port') return undefined;
    return part instanceof Set ? { set: [...part] } : part;
  });
  return text === undefined ? undefined : JSON.parse(withoutWho(text));
}

function withoutWho(text: string): string {
  return text.replaceAll(`/${WHO}/`, '/').replaceAll(/in JSON at position.*/g, '');
}

/** Where a request would go, as whom, and after how many tries it is given up: all of it said by variables. */
async function addressed(variables: Record<string, string | undefined>): Promise<unknown> {
  const kept = { ...environment };
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete environment[name];
    else environment[name] = value;
  }
  const requests: unknown[] = [];
  const requestHandler = {
    handle: async ({
      protocol,
      hostname,
      port,
      path,
      headers,
    }: Record<string, never> & { headers: Record<string, string> }) => {
      const { authorization = '', 'x-amz-security-token': token, 'user-agent': agent } = headers;
      const scope = authorization.replace(/\/\d{8}\//, '/day/').replace(/Signature=\w+/, '');
      requests.push({ protocol, hostname, port, path, scope, token, agent });
      throw Object.assign(new Error('no network'), { code: 'ECONNRESET' });
    },
  };
  const given = { requestHandler: requestHandler as never };
  const results = [
    await outcome(() =>
      DynamoDBDocumentClient.from(new DynamoDBClient(given)).send(new GetCommand({ TableName: 't', Key: { id: 'a' } })),
    ),
    await outcome(() => new SNSClient(given).send(new PublishCommand({ TargetArn: 'arn', Message: 'm' }))),
    await outcome(() => new S3Client(given).send(new GetObjectCommand({ Bucket: 'bucket', Key: 'k' }))),
    await outcome(() =>
      new KMSClient(given).send(
        new SignCommand({ KeyId: 'k', Message: Buffer.from('m'), SigningAlgorithm: 'ECDSA_SHA_256' }),
      ),
    ),
  ];
  for (const name of Object.keys(variables)) delete environment[name];
  Object.assign(environment, kept);
  return { results, requests };
}

const one = { AWS_MAX_ATTEMPTS: '1' };
const settings: Record<string, Record<string, string | undefined>> = {
  plain: { AWS_MAX_ATTEMPTS: '2' },
  'without a session token': { ...one, AWS_SESSION_TOKEN: undefined },
  'without credentials': { ...one, AWS_ACCESS_KEY_ID: undefined },
  'without a region': { ...one, AWS_REGION: undefined },
  'in China': { ...one, AWS_REGION: 'cn-north-1' },
  'in a region that is not known yet': { ...one, AWS_REGION: 'eu-future-9' },
  'in no region': { ...one, AWS_REGION: 'not a region' },
  FIPS: { ...one, AWS_REGION: 'us-east-1', AWS_USE_FIPS_ENDPOINT: 'true' },
  'dual stack': { ...one, AWS_USE_DUALSTACK_ENDPOINT: 'true' },
  'one endpoint': { ...one, AWS_ENDPOINT_URL: 'http://localhost:1/x' },
  'an endpoint of the service': { ...one, AWS_ENDPOINT_URL: 'http://a', AWS_ENDPOINT_URL_DYNAMODB: 'http://b:2' },
  'endpoints ignored': { ...one, AWS_ENDPOINT_URL: 'http://a', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
  'an account': { ...one, AWS_ACCOUNT_ID: '123456789012' },
  'adaptive retries': { AWS_MAX_ATTEMPTS: '2', AWS_RETRY_MODE: 'adaptive' },
  'standard defaults': { ...one, AWS_DEFAULTS_MODE: 'standard' },
  'automatic defaults': { ...one, AWS_DEFAULTS_MODE: 'auto', AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  'an app id': { ...one, AWS_SDK_UA_APP_ID: 'app' },
  'a name for the function, and a trace': { ...one, AWS_LAMBDA_FUNCTION_NAME: 'f', _X_AMZN_TRACE_ID: 'Root=1' },
};

const tried = async (fault: FaultName) => [fault, await outcome(() => calls[fault](fault))] as const;
const names = Object.keys(calls) as FaultName[];
const faulty = await Promise.all(names.filter((fault) => fault !== 'silent').map(tried));
// By itself: a time-out measures this process, too.
const outcomes = Object.fromEntries([...faulty, await tried('silent')]);
const addresses: Record<string, unknown> = {};
for (const [name, variables] of Object.entries(settings)) addresses[name] = await addressed(variables);
process.stdout.write(JSON.stringify({ outcomes, addresses }));
