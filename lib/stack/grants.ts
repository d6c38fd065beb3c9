import { Aws } from 'aws-cdk-lib/core';
import type { BucketAccess, BucketUse } from '../contract/bucket-uses.ts';
import type { Table } from '../contract/tables.ts';
import type { UserPoolAccess } from '../contract/user-pool-uses.ts';
import type { SigningKeyAccess, TableAccess } from '../contract/uses.ts';
import { arn, type Statement } from './policy.ts';

/** The exact permissions of a function. */

const reads = ['dynamodb:GetItem', 'dynamodb:Query'] as const;

/** For each access: what is always allowed, and what is allowed only within a transaction. */
const actions: Record<
  TableAccess,
  { readonly always?: readonly string[]; readonly inTransaction?: readonly string[] }
> = {
  get: { always: ['dynamodb:GetItem'] },
  batch: { always: ['dynamodb:BatchGetItem'] },
  read: { always: reads },
  scan: { always: ['dynamodb:Scan'] },
  write: { always: [...reads, 'dynamodb:PutItem', 'dynamodb:UpdateItem'] },
  remove: { always: [...reads, 'dynamodb:DeleteItem'] },
  discard: { inTransaction: ['dynamodb:DeleteItem'] },
  append: { inTransaction: ['dynamodb:PutItem'] },
  replace: { inTransaction: ['dynamodb:PutItem', 'dynamodb:DeleteItem'] },
  adjust: { inTransaction: ['dynamodb:UpdateItem'] },
  // The function may set the expiry because of the role that it runs as (lib/stack/ledger.ts).
  expire: { always: ['dynamodb:Query'] },
  check: { inTransaction: ['dynamodb:ConditionCheckItem'] },
};

/** Within a transaction IAM checks the single actions: there is no permission named TransactWriteItems. */
const withinTransaction = { 'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } };

export function useOfTable(
  tableArn: string,
  accesses: readonly TableAccess[],
  { partitionKey, sortKey, adjustable }: Pick<Table, 'partitionKey' | 'sortKey' | 'adjustable'>,
): Statement[] {
  const table = { Effect: 'Allow', Resource: tableArn } as const;
  const always = [...new Set(accesses.flatMap((access) => actions[access].always ?? []))];
  const limited = accesses.filter((access) => adjustable !== undefined && access === 'adjust');
  const others = accesses.filter((access) => !limited.includes(access));
  const inTransaction = [...new Set(others.flatMap((access) => actions[access].inTransaction ?? []))];
  const named = [partitionKey, ...(sortKey === undefined ? [] : [sortKey]), ...(adjustable ?? [])];
  return [
    ...(always.length > 0 ? [{ ...table, Action: always }] : []),
    ...(inTransaction.length > 0 ? [{ ...table, Action: inTransaction, Condition: withinTransaction }] : []),
    ...(limited.length > 0
      ? [
          {
            ...table,
            Action: actions.adjust.inTransaction ?? [],
            Condition: { ...withinTransaction, ...onlyOf(named) },
          },
        ]
      : []),
  ];
}

/** `ForAllValues` is true where nothing is named: so the key must be there. */
function onlyOf(attributes: readonly string[]) {
  return {
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
    Null: { 'dynamodb:Attributes': 'false' },
  };
}

/**
 * Signing needs no permission for the key that encrypts the data: a digest is nobody's data.
 *
 * @param earlier the ARNs of the earlier keys
 */
export function useOfSigningKey(keyArn: string, access: SigningKeyAccess, earlier: readonly string[]): Statement[] {
  const knowsEarlier = access !== 'sign' && earlier.length > 0;
  const reads = ['kms:GetPublicKey'];
  return [
    { Effect: 'Allow', Action: access === 'verify' ? reads : ['kms:Sign', ...reads], Resource: keyArn },
    ...(knowsEarlier ? [{ Effect: 'Allow', Action: ['kms:GetPublicKey'], Resource: earlier } as const] : []),
  ];
}

const bucketActions: Record<BucketAccess, readonly string[]> = {
  // A presigned POST is a PutObject by the identity that signed it.
  upload: ['s3:PutObject'],
  hold: ['s3:GetObject', 's3:GetObjectVersion'],
  read: ['s3:GetObject', 's3:GetObjectVersion'],
  // Each request of an upload in parts is a PutObject to IAM: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
  keep: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
  clear: ['s3:DeleteObject'],
};

/** A function can place a hold, but not lift it. A person lifts it, who knows that nobody cites the text any more. */
const holdObjects = {
  Effect: 'Allow',
  Action: 's3:PutObjectLegalHold',
  Condition: { StringEquals: { 's3:object-lock-legal-hold': 'ON' } },
} as const;

type PrefixUse = Extract<BucketUse, { readonly prefix: string }>;

export function useOfBucket(bucketArn: string, { access }: Exclude<BucketUse, PrefixUse>): Statement[] {
  return [
    { Effect: 'Allow', Action: bucketActions[access], Resource: `${bucketArn}/*` },
    ...(access === 'hold' ? [{ ...holdObjects, Resource: `${bucketArn}/*` }] : []),
    // Without this permission S3 answers 403 for a missing object.
    ...(access === 'upload' ? [] : [{ Effect: 'Allow', Action: 's3:ListBucket', Resource: bucketArn } as const]),
  ];
}

/**
 * Object Lock keeps the existing object, but a newer version would hide it. So none may be put over it.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
const whereNoneIs = { Null: { 's3:if-none-match': 'false' } };

/** One statement for all prefixes, since a role's inline policies may have 10,240 characters. */
export function useOfPrefixes(bucketArn: string, uses: readonly PrefixUse[]): Statement[] {
  const put = uses.filter(({ access }) => access !== 'list').map(({ prefix }) => `${bucketArn}/${prefix}*`);
  const read = uses.filter(({ access }) => access !== 'log').map(({ prefix }) => `${prefix}*`);
  const Resource = oneOrMany(read.map((prefix) => `${bucketArn}/${prefix}`));
  const below = { StringLike: { 's3:prefix': oneOrMany(read) } };
  return [
    ...(put.length > 0
      ? [{ Effect: 'Allow', Action: ['s3:PutObject'], Resource: oneOrMany(put), Condition: whereNoneIs } as const]
      : []),
    ...(read.length > 0
      ? ([
          { Effect: 'Allow', Action: ['s3:GetObject', 's3:GetObjectVersion'], Resource },
          { Effect: 'Allow', Action: 's3:ListBucketVersions', Resource: bucketArn, Condition: below },
        ] as const)
      : []),
  ];
}

function oneOrMany(texts: readonly string[]): string | readonly string[] {
  const [only, ...more] = texts;
  return only !== undefined && more.length === 0 ? only : texts;
}

export function publishTo(eventBusArn: string): Statement {
  return { Effect: 'Allow', Action: 'events:PutEvents', Resource: eventBusArn };
}

/** Only from that one address: where the identity is a domain, other addresses of it would be allowed, too. */
export function mailFrom(
  { from, identity }: { readonly from: string; readonly identity: string },
  transport: string,
): Statement {
  return {
    Effect: 'Allow',
    Action: 'ses:SendEmail',
    // SES asks for both, the sender's identity and the configuration set.
    Resource: [arn('ses', `identity/${identity}`), arn('ses', `configuration-set/${transport}`)],
    Condition: { StringEquals: { 'ses:FromAddress': from } },
  };
}

/** Only the function itself, and no version of it. The same account needs no permission on the function's side. */
export function callFunction(name: string): Statement {
  return { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arn('lambda', `function:${name}`) };
}

export function tellBy(topicArn: string): Statement {
  return { Effect: 'Allow', Action: 'sns:Publish', Resource: topicArn };
}

/**
 * Cognito evaluates no policy for GetTokensFromRefreshToken, RevokeToken, AssociateSoftwareToken and VerifySoftwareToken:
 * the token or session in the request is their authorization.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html
 */
const userPoolActions: Record<UserPoolAccess, readonly string[]> = {
  renew: [],
  authenticate: ['AdminInitiateAuth'],
  'answer-challenge': ['AdminRespondToAuthChallenge'],
  'own-account': ['AdminInitiateAuth', 'AdminRespondToAuthChallenge'],
  read: ['AdminGetUser'],
  create: ['AdminCreateUser'],
  'set-password': ['AdminSetUserPassword'],
  'set-address': ['AdminUpdateUserAttributes'],
  'delete-second-factor': ['AdminDeleteSoftwareToken'],
  'end-sessions': ['AdminUserGlobalSignOut'],
  disable: ['AdminDisableUser'],
  enable: ['AdminEnableUser'],
  delete: ['AdminDeleteUser'],
  'add-to-group': ['AdminAddUserToGroup'],
};

export function useOfUserPool(poolArn: string, accesses: readonly UserPoolAccess[]): Statement[] {
  const actions = new Set(accesses.flatMap((access) => userPoolActions[access]));
  if (actions.size === 0) return [];
  return [{ Effect: 'Allow', Action: [...actions].map((action) => `cognito-idp:${action}`), Resource: poolArn }];
}

/** The actions of `kms:GenerateDataKey*` and `kms:ReEncrypt*`, as AWS documents them, that are for symmetric keys. */
const dataKeys = ['kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

const keyActions = {
  read: ['kms:Decrypt', 'kms:DescribeKey'],
  write: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', ...dataKeys],
};

/**
 * DynamoDB, SQS and S3 use a customer-managed key in the caller's name. These are the actions that aws-cdk-lib's own grants
 * name. `kms:ViaService` keeps the function from using the key directly.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
export function useOfKey(
  keyArn: string,
  access: 'read' | 'write',
  service: 'dynamodb' | 'sqs' | 's3' | 'sns' = 'dynamodb',
): Statement {
  return {
    Effect: 'Allow',
    Action: keyActions[access],
    Resource: keyArn,
    Condition: { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
  };
}

/**
 * A function's variables are encrypted under the environment's key. Lambda reads them in the role's name before the
 * function starts.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars-encryption.html
 *
 * @param functionName by default of those that CloudFormation names after their stack
 */
export function readVariables(keyArn: string, functionName = 'MobileHealth-*'): Statement {
  return {
    Effect: 'Allow',
    Action: 'kms:Decrypt',
    Resource: keyArn,
    Condition: {
      ArnLike: { 'kms:EncryptionContext:aws:lambda:FunctionArn': arn('lambda', `function:${functionName}`) },
    },
  };
}

/**
 * What Lambda needs to read a stream in the function's name:
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
export function readStream(streamArn: string, tableArn: string): Statement[] {
  return [
    {
      Effect: 'Allow',
      Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      Resource: streamArn,
    },
    { Effect: 'Allow', Action: 'dynamodb:ListStreams', Resource: `${tableArn}/stream/*` },
  ];
}

/** https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html */
export function writeFailures(bucketArn: string): Statement[] {
  return [
    { Effect: 'Allow', Action: 's3:ListBucket', Resource: bucketArn },
    { Effect: 'Allow', Action: 's3:PutObject', Resource: `${bucketArn}/*` },
  ];
}

export function useOfQueue(queueArn: string): Statement {
  return { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queueArn };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
export function receiveFrom(queueArn: string): Statement {
  return {
    Effect: 'Allow',
    Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    Resource: queueArn,
  };
}

/** X-Ray's actions support no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html */
export const writeTraces: Statement = {
  Effect: 'Allow',
  Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  Resource: '*',
};

/** `logGroupArn` as CloudFormation returns it, ending in `:*`: the group's streams. */
export function writeLogs(logGroupArn: string): Statement {
  return { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: logGroupArn };
}
