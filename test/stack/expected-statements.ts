import { settings } from '../../functions/settings.ts';
import type { BucketUse, PrefixAccess } from '../../lib/contract/bucket-uses.ts';
import type { PushAccess, PushPlatform } from '../../lib/contract/push-platforms.ts';
import type { Application, Environment } from '../../lib/contract/register.ts';
import type { Table } from '../../lib/contract/tables.ts';
import type { UserPoolAccess } from '../../lib/contract/user-pool-uses.ts';
import { ofKind, type TableAccess, type Uses } from '../../lib/contract/uses.ts';
import { logicalId } from '../../lib/stack/names.ts';
import type { DeclaredFunction } from './declared-functions.ts';
import type { Statement } from './grant-differences.ts';

/** What a function's role should allow, by what it declares: said here once more, and not computed by lib/stack/grants.ts. */

const state = (name: string) => `<State:${name}.Arn>`;
const arn = (service: string, rest: string) => `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${rest}`;

/** `mobile-health-dev-sleepcare-sign-receipt`: only this name is fixed, so that another stack can grant the call. */
export function performerOf({ name }: { readonly name: string }, application: Application, environment: Environment) {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return ['mobile-health', environment, application, ...words].join('-');
}

export function expectedStatements(each: DeclaredFunction, environment: Environment): Statement[] {
  const { name, uses } = each;
  const [, id = ''] = name.split('/');
  return [
    { Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: `<${id}Logs.Arn>` },
    { Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], Resource: '*' },
    ...each.tables.flatMap(([table, accesses]) => ofTable(state(`${table.name}Table`), accesses, table)),
    ...ofKind(uses, 'queue').map(({ queue }) => ({ Action: 'sqs:SendMessage', Resource: state(queue.name) })),
    ...ofKind(uses, 'procedure').map(({ procedure }) => ({
      Action: 'lambda:InvokeFunction',
      Resource: arn('lambda', `function:${performerOf(procedure, each.application, environment)}`),
    })),
    ...ofKind(uses, 'signingKey').map(({ signingKey, access }) => ({
      Action: access === 'verify' ? ['kms:GetPublicKey'] : ['kms:Sign', 'kms:GetPublicKey'],
      Resource: state(`${signingKey.name}${settings[environment].signingGeneration}`),
    })),
    ...ofKind(uses, 'bucket').flatMap((use) => ofBucket(`arn:<AWS::Partition>:s3:::<State:${use.bucket.name}>`, use)),
    ...ofKind(uses, 'eventBus').map(() => ({ Action: 'events:PutEvents', Resource: state('EventBus') })),
    ...ofKind(uses, 'operators').map(() => ({ Action: 'sns:Publish', Resource: '<State:Alarms>' })),
    ...ofKind(uses, 'mail').map(() => ofMail(environment)),
    {
      Action: poolActions(uses).map((action) => `cognito-idp:${action}`),
      Resource: state(`${logicalId(poolOf(uses, each.application))}UserPool`),
    },
    ...ofKind(uses, 'pushPlatforms').flatMap(({ pushPlatforms }) => ofPush(pushPlatforms, environment)),
    ...ofSource(each),
    ...ofKeyOfData(each),
  ];
}

const inTransaction = { 'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } };
const always: Partial<Record<TableAccess, readonly string[]>> = {
  get: ['GetItem'],
  batch: ['BatchGetItem'],
  read: ['GetItem', 'Query'],
  scan: ['Scan'],
  write: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
  remove: ['GetItem', 'Query', 'DeleteItem'],
  // The expiry itself is granted by the role that it runs as (state.test.ts).
  expire: ['Query'],
};
const onlyInTransaction: Partial<Record<TableAccess, readonly string[]>> = {
  append: ['PutItem'],
  replace: ['PutItem', 'DeleteItem'],
  adjust: ['UpdateItem'],
  check: ['ConditionCheckItem'],
  discard: ['DeleteItem'],
};

/** What remains in a transaction without one access. */
function omitting(access: TableAccess): typeof always {
  return { ...onlyInTransaction, [access]: [] };
}

/** The attributes of the rows that an `adjust` may name, the keys among them; of any other table: all. */
const named: Readonly<Record<string, readonly string[]>> = {
  AccessCodeBatches: ['batchId', 'part', 'redeemed', 'revoked', 'revokedAt', 'entitlementsEndedAt'],
  EndedSessions: ['userId', 'notBefore', 'underWayUntil', 'sessions', 'expiresAt'],
  Entitlements: ['userId', 'entitlementId', 'endedAt'],
  Groups: ['kind', 'groupKey', 'members', 'messages', 'revision'],
  MailRecords: [
    'mailRecord',
    ...['mailId', 'triesLeft', 'enrolled', 'turn', 'turnUntil', 'securedAt', 'former', 'holder', 'expiresAt'],
  ],
  OverviewFigures: ['generation', 'figure', 'count'],
  RecoveryCodes: ['userId', 'hashes'],
  Sessions: ['userId', 'sessionId', 'renewedAt', 'endedAt', 'endedBy'],
  PersonalExports: [
    ...['userId', 'exportId', 'latestId', 'application', 'requestedAt', 'expiresAt', 'status', 'finishedAt'],
    ...['progressAt', 'leaseEndsAt', 'revision', 'progress', 'sizeBytes'],
  ],
  StaffAccounts: ['kind', 'userId', 'admins', 'isEnding', 'revision'],
  ResearchExports: ['studyId', 'exportId', 'latestId', 'requestedAt', 'enrolledUntil'],
  Studies: ['kind', 'studyKey', 'participants', 'state', 'codeId'],
};

function ofTable(Resource: string, accesses: readonly TableAccess[], table: Table): Statement[] {
  const actions = (by: typeof always) =>
    [...new Set(accesses.flatMap((access) => by[access] ?? []))].map((action) => `dynamodb:${action}`);
  const adjusted = named[table.name];
  return [
    { Action: actions(always), Resource },
    ...(adjusted && accesses.includes('adjust')
      ? [
          {
            Action: 'dynamodb:UpdateItem',
            Resource,
            Condition: {
              ...inTransaction,
              'ForAllValues:StringEquals': { 'dynamodb:Attributes': adjusted },
              Null: { 'dynamodb:Attributes': 'false' },
            },
          },
          { Action: actions(omitting('adjust')), Resource, Condition: inTransaction },
        ]
      : [{ Action: actions(onlyInTransaction), Resource, Condition: inTransaction }]),
  ];
}

const ofUserPool: Readonly<Record<UserPoolAccess, readonly string[]>> = {
  // Who has the refresh token needs no grant.
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

/** The actions on user pools that a declaration asks for, each once. */
export function poolActions(uses: Uses): string[] {
  return [...new Set(ofKind(uses, 'userPool').flatMap(({ userPool }) => userPool.flatMap((one) => ofUserPool[one])))];
}

/** Whoever asks for another application's users asks in their pool. */
export function poolOf(uses: Uses, application: Application): Application {
  const named = uses.flatMap((use) => ('userPool' in use && use.of ? [use.of] : []));
  return named[0] ?? application;
}

function ofMail(environment: Environment): Statement {
  const { from, identity } = settings[environment].mail;
  const Condition = { StringEquals: { 'ses:FromAddress': from } };
  return {
    Action: 'ses:SendEmail',
    Resource: [arn('ses', `identity/${identity}`), arn('ses', 'configuration-set/<State:MailTransport>')],
    Condition,
  };
}

/** Of a platform application, in the ARNs of SNS. */
export function platformPath(platform: PushPlatform, environment: Environment): string {
  const paths = { 'ios/production': 'APNS/*-ios', 'ios/sandbox': 'APNS_SANDBOX/*-ios', android: 'GCM/*-android' };
  return paths[platform].replace('*', `mobile-health-${environment}`);
}

/** Endpoints of the connected platforms; those to erase may be of a platform that was connected once. */
function ofPush(access: PushAccess, environment: Environment): Statement[] {
  if (access === 'erase') {
    return [{ Action: 'sns:DeleteEndpoint', Resource: arn('sns', `endpoint/*/mobile-health-${environment}-*`) }];
  }
  const paths = settings[environment].pushPlatforms.map((each) => platformPath(each, environment));
  const endpoints = paths.map((path) => arn('sns', `endpoint/${path}/*`));
  if (access === 'publish') return [{ Action: 'sns:Publish', Resource: endpoints }];
  if (access === 'read') return [{ Action: 'sns:GetEndpointAttributes', Resource: endpoints }];
  const changes = ['sns:GetEndpointAttributes', 'sns:SetEndpointAttributes', 'sns:DeleteEndpoint'];
  return [
    { Action: 'sns:CreatePlatformEndpoint', Resource: paths.map((path) => arn('sns', `app/${path}`)) },
    { Action: changes, Resource: endpoints },
  ];
}

const ofObjects = {
  upload: ['s3:PutObject'],
  hold: ['s3:GetObject', 's3:GetObjectVersion'],
  read: ['s3:GetObject', 's3:GetObjectVersion'],
  keep: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
  clear: ['s3:DeleteObject'],
};

function ofBucket(bucket: string, use: BucketUse): Statement[] {
  if ('prefix' in use) return ofPrefix(bucket, use.prefix, use.access);
  const held = { StringEquals: { 's3:object-lock-legal-hold': 'ON' } };
  const hold = { Action: 's3:PutObjectLegalHold', Resource: `${bucket}/*`, Condition: held };
  return [
    { Action: ofObjects[use.access], Resource: `${bucket}/*` },
    ...(use.access === 'hold' ? [hold] : []),
    ...(use.access === 'upload' ? [] : [{ Action: 's3:ListBucket', Resource: bucket }]),
  ];
}

function ofPrefix(bucket: string, prefix: string, access: PrefixAccess): Statement[] {
  const Resource = `${bucket}/${prefix}*`;
  const put = { Action: 's3:PutObject', Resource, Condition: { Null: { 's3:if-none-match': 'false' } } };
  const below = { StringLike: { 's3:prefix': `${prefix}*` } };
  const reads = [
    { Action: ['s3:GetObject', 's3:GetObjectVersion'], Resource },
    { Action: 's3:ListBucketVersions', Resource: bucket, Condition: below },
  ];
  return [...(access === 'list' ? [] : [put]), ...(access === 'log' ? [] : reads)];
}

function ofSource({ stream, queue }: DeclaredFunction): Statement[] {
  const receives = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  const reads = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
  return [
    ...(queue ? [{ Action: receives, Resource: state(queue) }] : []),
    ...(stream
      ? [
          { Action: reads, Resource: `<State:${stream}TableStream.Arn>` },
          { Action: 'dynamodb:ListStreams', Resource: `${state(`${stream}Table`)}/stream/*` },
          // What it gives up.
          { Action: 's3:ListBucket', Resource: state('StreamFailures') },
          { Action: 's3:PutObject', Resource: `${state('StreamFailures')}/*` },
        ]
      : []),
  ];
}

const readsKey = ['kms:Decrypt', 'kms:DescribeKey'];
const dataKeys = ['kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext'];
const writesKey = [...readsKey, 'kms:Encrypt', ...dataKeys, 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** The data's key: only through the services that hold data of the function; and for Lambda, if a variable is secret. */
function ofKeyOfData({
  uses,
  tables,
  stream,
  queue,
  hasCursors,
  physicalName = 'MobileHealth-*',
}: DeclaredFunction): Statement[] {
  const Resource = state('Key');
  const through = (service: string, Action: readonly string[]) => {
    const Condition = { StringEquals: { 'kms:ViaService': `${service}.<AWS::Region>.<AWS::URLSuffix>` } };
    return { Action, Resource, Condition };
  };
  const accesses = tables.flatMap(([, all]) => all);
  const buckets = ofKind(uses, 'bucket').map(({ access }) => access);
  const onlyReads = (all: readonly string[], reading: readonly string[]) => all.every((one) => reading.includes(one));
  const ofFunction = arn('lambda', `function:${physicalName}`);
  const variables = { ArnLike: { 'kms:EncryptionContext:aws:lambda:FunctionArn': ofFunction } };
  return [
    ...(accesses.length > 0
      ? [through('dynamodb', onlyReads(accesses, ['get', 'batch', 'read', 'scan', 'check']) ? readsKey : writesKey)]
      : []),
    ...(buckets.length > 0
      ? [through('s3', onlyReads(buckets, ['read', 'hold', 'list', 'clear']) ? readsKey : writesKey)]
      : []),
    ...(ofKind(uses, 'queue').length > 0 ? [through('sqs', writesKey)] : []),
    ...(ofKind(uses, 'operators').length > 0 ? [through('sns', writesKey)] : []),
    ...(queue ? [through('sqs', readsKey)] : []),
    ...(stream ? [through('dynamodb', readsKey), through('s3', writesKey)] : []),
    ...(hasCursors || ofKind(uses, 'secret').length > 0
      ? [{ Action: 'kms:Decrypt', Resource, Condition: variables }]
      : []),
  ];
}
