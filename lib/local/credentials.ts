import { createHash } from 'node:crypto';
import type { Call, Denial } from './dynamodb/front.ts';
import { authorize, authorizeAccess, type PolicedTable } from './iam.ts';
import type { UserPoolCall } from './identity/cognito/front.ts';
import type { FunctionModel, StageModel, TableModel } from './model.ts';
import type { SnsCall } from './sns/sns.ts';
import type { SqsCall } from './sqs/sqs.ts';

/**
 * Who calls DynamoDB, Cognito or SNS, told by the access key: each role has its own, as its functions have on AWS, and the template's
 * policies say what it may do.
 */

export type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** Seeds and tests: not limited by any policy. DynamoDB Local takes letters and digits alone. */
export const administrator: Credentials = { accessKeyId: 'LOCALADMINISTRATOR', secretAccessKey: 'local' };

export function credentialsOf({ roleArn }: FunctionModel): Credentials {
  return { accessKeyId: accessKeyOf(roleArn), secretAccessKey: 'local' };
}

/** The IAM check of the DynamoDB front, always by the model of the moment. */
export function accessCheck(model: () => StageModel): (call: Call) => Denial | undefined {
  let checked: { model: StageModel; tables: PolicedTable[] } | undefined;
  return (call) => {
    if (call.accessKeyId === administrator.accessKeyId) return undefined;
    const current = model();
    if (checked?.model !== current) checked = { model: current, tables: current.tables.map(policed) };
    const principal = current.principals.find(({ arn }) => accessKeyOf(arn) === call.accessKeyId);
    if (principal) return authorize(call, principal, checked.tables);
    return { action: `dynamodb:${call.action}`, resource: '*', reason: 'because its access key belongs to no role' };
  };
}

/** The IAM check of the user pools' front. */
export function userPoolCheck(model: () => StageModel) {
  return ({ action: name, accessKeyId, resource }: UserPoolCall & { resource: string }): Denial | undefined => {
    if (accessKeyId === administrator.accessKeyId) return undefined;
    const action = `cognito-idp:${name}`;
    const principal = model().principals.find(({ arn }) => accessKeyOf(arn) === accessKeyId);
    if (principal) return authorizeAccess({ action, resource, context: {}, unknown: [] }, principal);
    return { action, resource, reason: 'because its access key belongs to no role' };
  };
}

/** The IAM check of SNS. */
export function snsCheck(model: () => StageModel) {
  return ({ action: name, accessKeyId, resource }: SnsCall & { resource: string }): Denial | undefined => {
    if (accessKeyId === administrator.accessKeyId) return undefined;
    const action = `sns:${name}`;
    const principal = model().principals.find(({ arn }) => accessKeyOf(arn) === accessKeyId);
    if (principal) return authorizeAccess({ action, resource, context: {}, unknown: [] }, principal);
    return { action, resource, reason: 'because its access key belongs to no role' };
  };
}

/** The IAM check of SQS. */
export function sqsCheck(model: () => StageModel) {
  return ({ action: name, accessKeyId, resource }: SqsCall): Denial | undefined => {
    if (accessKeyId === administrator.accessKeyId) return undefined;
    // Batches have no actions of their own.
    const action = `sqs:${name.replace(/Batch$/, '')}`;
    const principal = model().principals.find(({ arn }) => accessKeyOf(arn) === accessKeyId);
    if (principal) return authorizeAccess({ action, resource, context: {}, unknown: [] }, principal);
    return { action, resource, reason: 'because its access key belongs to no role' };
  };
}

/** Why Lambda may not do something in a function's name; undefined where it may. */
export function refusalOf(
  { principals }: StageModel,
  { roleArn }: FunctionModel,
  action: string,
  resource: string,
): string | undefined {
  const principal = principals.find(({ arn }) => arn === roleArn);
  const denial = principal
    ? authorizeAccess({ action, resource, context: {}, unknown: [] }, principal)
    : { reason: 'because it has no role' };
  return denial && `${roleArn} is not authorized to perform: ${action} on resource: ${resource} ${denial.reason}`;
}

function accessKeyOf(roleArn: string): string {
  return `LOCAL${createHash('sha256').update(roleArn).digest('hex').slice(0, 15).toUpperCase()}`;
}

type Key = { AttributeName: string; KeyType: 'HASH' | 'RANGE' };

function policed({ name, arn, definition, policy }: TableModel): PolicedTable {
  const keys = (schema: unknown) => {
    const of = (type: Key['KeyType']) => (schema as Key[]).find(({ KeyType }) => KeyType === type)?.AttributeName;
    const sort = of('RANGE');
    return { partition: of('HASH') ?? '', ...(sort !== undefined && { sort }) };
  };
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = definition;
  const indexes = [GlobalSecondaryIndexes, LocalSecondaryIndexes].flat() as { IndexName: string; KeySchema: Key[] }[];
  return {
    name,
    arn,
    keys: keys(definition.KeySchema),
    indexes: Object.fromEntries(indexes.map(({ IndexName, KeySchema }) => [IndexName, keys(KeySchema)])),
    policy: [...policy],
  };
}
