import { createHash } from 'node:crypto';
import type { Call } from './dynamodb/front.ts';
import { authorize, authorizeAccess, authorizeKey, type Policed, type PolicedTable, type Principal } from './iam.ts';
import type { AuthorizationRequest } from './iam-accesses.ts';
import type { FunctionModel, StageModel, TableModel } from './model.ts';
import type { Denial } from './service/failure.ts';

/**
 * The access key shows who calls DynamoDB, Cognito, SNS or S3. Each role has its own key, as on AWS, and the template's
 * policies say what the role may do.
 */

export type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** The credentials of seeds and tests; no policy limits them. DynamoDB Local accepts only letters and digits. */
export const administrator: Credentials = { accessKeyId: 'LOCALADMINISTRATOR', secretAccessKey: 'local' };

export function credentialsOf({ roleArn }: FunctionModel): Credentials {
  return { accessKeyId: accessKeyOf(roleArn), secretAccessKey: 'local' };
}

/** The IAM check of the DynamoDB front, always by the current model. */
export function accessCheck(model: () => StageModel): (call: Call) => Denial | undefined {
  let checked: { model: StageModel; tables: PolicedTable[] } | undefined;
  return (call) => {
    if (call.accessKeyId === administrator.accessKeyId) return undefined;
    const current = model();
    if (checked?.model !== current) checked = { model: current, tables: current.tables.map(policed) };
    const principal = principalOf(current, call.accessKeyId);
    if (principal) return authorize(call, principal, checked.tables);
    return { action: `dynamodb:${call.action}`, resource: '*', reason: 'because its access key belongs to no role' };
  };
}

/** A call of a service, as IAM sees it: `resource` is the ARN of the one resource of the call. */
export type ServiceCall = {
  /** Without the service's prefix: `Publish`. */
  readonly action: string;
  /** Null for a call without a signature. */
  readonly accessKeyId: string | null;
  readonly resource: string;
  /** Condition keys of the service, in lower case. */
  readonly context?: AuthorizationRequest['context'];
};

/**
 * The IAM check of a service other than DynamoDB, always by the current model.
 *
 * @param service the actions' prefix: `sns`
 * @param policed the resources with a resource policy of their own; none by default
 */
export function serviceCheck(
  model: () => StageModel,
  service: string,
  policed: (model: StageModel) => readonly Policed[] = () => [],
): (call: ServiceCall) => Denial | undefined {
  return ({ action: name, accessKeyId, resource, context = {} }) => {
    if (accessKeyId === administrator.accessKeyId) return undefined;
    const action = `${service}:${name}`;
    const principal = principalOf(model(), accessKeyId);
    if (principal) return authorizeAccess({ action, resource, context, unknown: [] }, principal, policed(model()));
    return { action, resource, reason: 'because its access key belongs to no role' };
  };
}

/** The IAM check of SQS, whose batches have no actions of their own. */
export function sqsCheck(model: () => StageModel) {
  const check = serviceCheck(model, 'sqs');
  return (call: ServiceCall) => check({ ...call, action: call.action.replace(/Batch$/, '') });
}

/** The IAM check of S3: a bucket's policy is its objects', too. */
export function s3Check(model: () => StageModel) {
  return serviceCheck(model, 's3', ({ buckets }) => buckets);
}

/** The IAM check of KMS: the key's own policy first, then the roles' policies if the key's policy permits that. */
export function kmsCheck(model: () => StageModel) {
  const check = serviceCheck(model, 'kms');
  return (call: ServiceCall): Denial | undefined => {
    const current = model();
    const policy = current.keys.find(({ arn }) => arn === call.resource)?.policy;
    const principal = principalOf(current, call.accessKeyId);
    if (!policy || !principal) return check(call);
    const { action, resource, context = {} } = call;
    return authorizeKey({ action: `kms:${action}`, resource, context, unknown: [] }, principal, policy);
  };
}

/**
 * Whether a table's policy lets the time to live delete rows. The time to live is a caller, too: a service of AWS.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
export function expiryCheck(model: () => StageModel, log: (line: string) => void): (tableName: string) => boolean {
  const everything = { Effect: 'Allow' as const, Action: 'dynamodb:DeleteItem', Resource: '*' };
  const timeToLive = { arn: 'dynamodb.amazonaws.com', isService: true, statements: [everything] };
  return (TableName) => {
    const tables = model().tables.map(policed);
    const denial = authorize({ action: 'DeleteItem', input: { TableName } }, timeToLive, tables);
    if (denial) log(`the time to live may not delete from ${TableName}, ${denial.reason}`);
    return denial === undefined;
  };
}

/** Why Lambda may not do something on behalf of a function; undefined if it may. */
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

const byAccessKey = new WeakMap<StageModel, Map<string | null, Principal>>();

/** Kept for each model: an environment has hundreds of roles, and each call of a function asks. */
function principalOf(model: StageModel, accessKeyId: string | null): Principal | undefined {
  let known = byAccessKey.get(model);
  if (!known) {
    known = new Map(model.principals.map((principal) => [accessKeyOf(principal.arn), principal]));
    byAccessKey.set(model, known);
  }
  return known.get(accessKeyId);
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
