import { Aws } from 'aws-cdk-lib/core';
import type { Access } from '../contract/tables.ts';
import type { Statement } from './policy.ts';

/** What a function may do, and no more. */

const actions: Record<Access, readonly string[]> = {
  read: ['dynamodb:GetItem', 'dynamodb:Query'],
  write: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  append: ['dynamodb:PutItem'],
};

/** Within a transaction IAM checks the single actions: there is no permission named TransactWriteItems. */
const withinTransaction = { 'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } };

export function useOfTable(tableArn: string, access: Access): Statement {
  return {
    Effect: 'Allow',
    Action: actions[access],
    Resource: tableArn,
    ...(access === 'append' && { Condition: withinTransaction }),
  };
}

const keyActions = {
  read: ['kms:Decrypt', 'kms:DescribeKey'],
  write: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
};

/**
 * DynamoDB uses a customer-managed key in the caller's name; these are the actions that aws-cdk-lib's own grants name.
 * `kms:ViaService` keeps the function from using the key by itself.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
export function useOfKey(keyArn: string, access: 'read' | 'write'): Statement {
  return {
    Effect: 'Allow',
    Action: keyActions[access],
    Resource: keyArn,
    Condition: { StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
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
