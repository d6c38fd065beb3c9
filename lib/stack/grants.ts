import { Aws } from 'aws-cdk-lib/core';
import type { Access } from '../contract/tables.ts';
import type { UserPoolAccess } from '../contract/uses.ts';
import type { Statement } from './policy.ts';

/** What a function may do, and no more. */

const actions: Record<'read' | 'write', readonly string[]> = {
  read: ['dynamodb:GetItem', 'dynamodb:Query'],
  write: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
};

/** Within a transaction IAM checks the single actions: there is no permission named TransactWriteItems. */
const withinTransaction = { 'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } };

export function useOfTable(tableArn: string, access: Access): Statement[] {
  const table = { Effect: 'Allow', Resource: tableArn } as const;
  if (access === 'read' || access === 'write') return [{ ...table, Action: actions[access] }];
  if (access === 'move') {
    return [
      { ...table, Action: actions.read },
      { ...table, Action: ['dynamodb:PutItem', 'dynamodb:DeleteItem'], Condition: withinTransaction },
    ];
  }
  return [
    { ...table, Action: ['dynamodb:GetItem'] },
    { ...table, Action: ['dynamodb:PutItem'], Condition: withinTransaction },
  ];
}

/**
 * Cognito evaluates no policy for GetTokensFromRefreshToken, RevokeToken, AssociateSoftwareToken and VerifySoftwareToken:
 * the token or session in the request is their authorization.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html
 */
const userPoolActions: Record<UserPoolAccess, readonly string[]> = {
  renew: [],
  authenticate: ['cognito-idp:AdminInitiateAuth', 'cognito-idp:AdminRespondToAuthChallenge'],
  read: ['cognito-idp:AdminGetUser'],
};

export function useOfUserPool(poolArn: string, access: UserPoolAccess): Statement[] {
  const Action = userPoolActions[access];
  return Action.length === 0 ? [] : [{ Effect: 'Allow', Action, Resource: poolArn }];
}

const keyActions = {
  read: ['kms:Decrypt', 'kms:DescribeKey'],
  write: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
};

/**
 * DynamoDB, SQS and S3 use a customer-managed key in the caller's name; these are the actions that aws-cdk-lib's own grants name.
 * `kms:ViaService` keeps the function from using the key by itself.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
export function useOfKey(
  keyArn: string,
  access: 'read' | 'write',
  service: 'dynamodb' | 'sqs' | 's3' = 'dynamodb',
): Statement {
  return {
    Effect: 'Allow',
    Action: keyActions[access],
    Resource: keyArn,
    Condition: { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
  };
}

/**
 * What Lambda needs to read a stream in the function's name:
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
export function readStream(table: { readonly attrArn: string; readonly attrStreamArn: string }): Statement[] {
  return [
    {
      Effect: 'Allow',
      Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      Resource: table.attrStreamArn,
    },
    { Effect: 'Allow', Action: 'dynamodb:ListStreams', Resource: `${table.attrArn}/stream/*` },
  ];
}

/** https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html */
export function writeFailures(bucketArn: string): Statement[] {
  return [
    { Effect: 'Allow', Action: 's3:ListBucket', Resource: bucketArn },
    { Effect: 'Allow', Action: 's3:PutObject', Resource: `${bucketArn}/*` },
  ];
}

export function sendTo(queueArn: string): Statement {
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

/** X-Ray knows no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html */
export const writeTraces: Statement = {
  Effect: 'Allow',
  Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  Resource: '*',
};

/** `logGroupArn` as CloudFormation has it, ending in `:*`: the group's streams. */
export function writeLogs(logGroupArn: string): Statement {
  return { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: logGroupArn };
}
