import { createHash } from 'node:crypto';
import type { Resource } from './deployment.ts';
import { resolve } from './intrinsics.ts';

/**
 * Physical ids and attributes of resources, the same at every start, because they are derived from the place in the
 * template.
 */

type Kind = {
  /** The property that names the resource, if it has one. */
  readonly name?: string;
  /** For types whose generated names have another form in CloudFormation. */
  readonly generated?: (resource: Resource) => string;
  readonly ref?: (resource: Resource, name: string) => string;
  readonly attributes?: Readonly<Record<string, (resource: Resource, name: string) => unknown>>;
};

const kinds: Record<string, Kind> = {
  'AWS::Lambda::Function': { name: 'FunctionName', attributes: { Arn: at('lambda', 'function:') } },
  // Only the current code runs here, so each version is number 1.
  'AWS::Lambda::Version': {
    ref: (resource) => `${functionArn(resource)}:1`,
    attributes: { Version: () => '1', FunctionArn: (resource) => `${functionArn(resource)}:1` },
  },
  'AWS::Lambda::Alias': { name: 'Name', ref: (resource, name) => `${functionArn(resource)}:${name}` },
  'AWS::IAM::Role': {
    name: 'RoleName',
    attributes: { Arn: (resource, name) => `arn:aws:iam::${resource.stack.accountId}:role/${name}` },
  },
  'AWS::IAM::ManagedPolicy': {
    name: 'ManagedPolicyName',
    ref: (resource, name) => `arn:aws:iam::${resource.stack.accountId}:policy/${name}`,
  },
  'AWS::DynamoDB::Table': table(),
  'AWS::DynamoDB::GlobalTable': table(),
  'AWS::ApiGateway::RestApi': {
    ref: (resource) => hashed(resource, 10),
    attributes: { RestApiId: (resource) => hashed(resource, 10) },
  },
  'AWS::ApiGateway::Deployment': gatewayPart('DeploymentId'),
  'AWS::ApiGateway::UsagePlan': gatewayPart('Id'),
  'AWS::ApiGateway::ApiKey': gatewayPart('APIKeyId'),
  'AWS::ApiGateway::Stage': { name: 'StageName' },
  'AWS::Cognito::UserPool': {
    name: 'UserPoolName',
    ref: poolId,
    attributes: {
      UserPoolId: poolId,
      Arn: (resource) => arn(resource, 'cognito-idp', `userpool/${poolId(resource)}`),
      ProviderName: (resource) => `cognito-idp.${resource.stack.region}.amazonaws.com/${poolId(resource)}`,
      ProviderURL: (resource) => `https://cognito-idp.${resource.stack.region}.amazonaws.com/${poolId(resource)}`,
    },
  },
  'AWS::Cognito::UserPoolClient': {
    name: 'ClientName',
    ref: (resource) => hashed(resource, 26),
    attributes: { ClientId: (resource) => hashed(resource, 26) },
  },
  'AWS::Cognito::UserPoolGroup': { name: 'GroupName' },
  'AWS::SecretsManager::Secret': { name: 'Name', ref: secretArn, attributes: { Id: secretArn } },
  'AWS::KMS::Key': {
    ref: uuid,
    attributes: { KeyId: uuid, Arn: (resource) => arn(resource, 'kms', `key/${uuid(resource)}`) },
  },
  'AWS::KMS::Alias': { name: 'AliasName' },
  'AWS::Events::EventBus': {
    name: 'Name',
    attributes: { Arn: at('events', 'event-bus/'), Name: (_, name) => name },
  },
  'AWS::Events::Rule': {
    name: 'Name',
    ref: (resource, name) => ruleName(resource, name).replace('/', '|'),
    attributes: { Arn: (resource, name) => arn(resource, 'events', `rule/${ruleName(resource, name)}`) },
  },
  'AWS::SNS::Topic': {
    name: 'TopicName',
    ref: at('sns', ''),
    attributes: { TopicArn: at('sns', ''), TopicName: (_, name) => name },
  },
  'AWS::SQS::Queue': {
    name: 'QueueName',
    ref: (resource, name) => `https://sqs.${resource.stack.region}.amazonaws.com/${resource.stack.accountId}/${name}`,
    attributes: { Arn: at('sqs', ''), QueueName: (_, name) => name },
  },
  'AWS::S3::Bucket': {
    name: 'BucketName',
    generated: bucketName,
    attributes: { Arn: (_, name) => `arn:aws:s3:::${name}` },
  },
  'AWS::Logs::LogGroup': {
    name: 'LogGroupName',
    attributes: { Arn: (resource, name) => arn(resource, 'logs', `log-group:${name}:*`) },
  },
  'AWS::SES::ConfigurationSet': { name: 'Name' },
  'AWS::SSM::Parameter': { name: 'Name' },
  'AWS::WAFv2::WebACL': {
    name: 'Name',
    attributes: { Arn: (resource, name) => arn(resource, 'wafv2', `regional/webacl/${name}/${uuid(resource)}`) },
  },
};

export function reference(resource: Resource): string {
  const kind = kindOf(resource);
  const name = physicalName(resource);
  return kind.ref ? kind.ref(resource, name) : name;
}

export function attributeOf(resource: Resource, attribute: string): unknown {
  const found = kindOf(resource).attributes?.[attribute];
  if (!found) throw new Error(`${resource.type} has no attribute ${attribute} on this machine (${resource.path})`);
  return found(resource, physicalName(resource));
}

const names = new WeakMap<Resource, string>();

/** `<stack>-<logical id>-<hash>`, as CloudFormation generates it, if the template does not name the resource. */
export function physicalName(resource: Resource): string {
  const known = names.get(resource);
  if (known !== undefined) return known;
  const name = nameOf(resource);
  names.set(resource, name);
  return name;
}

function nameOf(resource: Resource): string {
  const { name: property, generated } = kindOf(resource);
  const given = property && resource.properties[property];
  if (given !== undefined && given !== '') {
    const name = resolve(given, resource.stack.scope, `${resource.path}.${property}`);
    if (typeof name === 'string') return name;
  }
  if (generated) return generated(resource);
  return `${resource.stack.name.slice(0, 24)}-${resource.logicalId.slice(0, 26)}-${hashed(resource, 12).toUpperCase()}`;
}

function kindOf(resource: Resource): Kind {
  const kind = kinds[resource.type];
  if (!kind) throw new Error(`what refers to ${resource.type} is not supported on this machine (${resource.path})`);
  return kind;
}

function table(): Kind {
  const tableArn = at('dynamodb', 'table/');
  return {
    name: 'TableName',
    attributes: {
      Arn: tableArn,
      // A label is the time when DynamoDB opened the stream, which no template knows. As a grant this covers all
      // labels.
      StreamArn: (resource, name) => `${tableArn(resource, name)}/stream/*`,
    },
  };
}

/** At most 63 characters, none of them in upper case. */
function bucketName(resource: Resource): string {
  return `${resource.stack.name.slice(0, 24)}-${resource.logicalId.slice(0, 24)}-${hashed(resource, 12)}`.toLowerCase();
}

function gatewayPart(attribute: string): Kind {
  return { ref: (resource) => hashed(resource, 6), attributes: { [attribute]: (resource) => hashed(resource, 6) } };
}

function at(service: string, prefix: string) {
  return (resource: Resource, name: string) => arn(resource, service, `${prefix}${name}`);
}

function arn(resource: Resource, service: string, rest: string): string {
  return `arn:aws:${service}:${resource.stack.region}:${resource.stack.accountId}:${rest}`;
}

/** The name contains the bus, except for rules of the default bus. */
function ruleName({ properties: { EventBusName = 'default' }, stack, path }: Resource, name: string): string {
  const bus = String(resolve(EventBusName, stack.scope, `${path}.EventBusName`)).replace(/^arn:.*:event-bus\//, '');
  return bus === 'default' ? name : `${bus}/${name}`;
}

/** The function's ARN for a version or an alias, which have the name or the ARN of their function. */
function functionArn(resource: Resource): string {
  const { properties, stack, path } = resource;
  const named = String(resolve(properties.FunctionName, stack.scope, `${path}.FunctionName`));
  return named.startsWith('arn:') ? named : arn(resource, 'lambda', `function:${named}`);
}

function secretArn(resource: Resource, name: string): string {
  return arn(resource, 'secretsmanager', `secret:${name}-${hashed(resource, 6)}`);
}

function poolId(resource: Resource): string {
  return `${resource.stack.region}_${hashed(resource, 9).toUpperCase()}`;
}

/** Lower-case letters and digits that are derived from the resource's place. */
function hashed(resource: Resource, length: number): string {
  const digest = createHash('sha256').update(`${resource.path}#`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).padStart(50, '0').slice(-length);
}

function uuid(resource: Resource): string {
  const digest = createHash('sha256').update(resource.path).digest('hex');
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
