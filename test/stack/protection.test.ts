import { describe, expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import { readable } from './readable.ts';
import { ofType, properties, type Resource, resource, stage, type Template } from './stage.ts';

/** What holds for every resource of a kind, whoever adds the next one. */

type Statement = {
  Sid?: string;
  Effect: string;
  Principal?: unknown;
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, unknown>>;
};
type Document = { Statement: Statement[] };

describe.each(environments)('%s', (environment) => {
  const { templates } = stage(environment);
  const { State } = templates;
  const all = (type: string): [string, Resource][] => {
    return Object.values(templates).flatMap((template) => Object.entries(ofType(type, template)));
  };
  const key = ['<Key.Arn>', `<State:Key.Arn>`];
  const keysOf = (type: string, keyOf: (properties: Record<string, unknown>) => unknown) =>
    all(type).map(([id, { Properties }]) => [id, keyOf(readable(Properties) as Record<string, unknown>)] as const);

  test.each([
    ['AWS::Logs::LogGroup', (of: Record<string, unknown>) => of.KmsKeyId],
    ['AWS::SQS::Queue', (of: Record<string, unknown>) => of.KmsMasterKeyId],
    ['AWS::SNS::Topic', (of: Record<string, unknown>) => of.KmsMasterKeyId],
    ['AWS::SecretsManager::Secret', (of: Record<string, unknown>) => of.KmsKeyId],
    [
      'AWS::DynamoDB::Table',
      (of: Record<string, unknown>) => (of.SSESpecification as Record<string, unknown> | undefined)?.KMSMasterKeyId,
    ],
    ['AWS::Backup::BackupVault', (of: Record<string, unknown>) => of.EncryptionKeyArn],
  ])('every %s is under the environment’s key', (type, keyOf) => {
    for (const [id, found] of keysOf(type, keyOf)) expect(key, `${id}: ${found}`).toContain(found);
    if (!type.includes('Backup')) expect(all(type)).not.toEqual([]);
  });

  test('every bucket is too, except the one to which S3 delivers only under its own keys', () => {
    const encryption = (of: Record<string, unknown>) => {
      const { ServerSideEncryptionConfiguration } = of.BucketEncryption as Record<string, [Record<string, unknown>]>;
      return ServerSideEncryptionConfiguration?.[0].ServerSideEncryptionByDefault as Record<string, unknown>;
    };
    for (const [id, found] of keysOf('AWS::S3::Bucket', encryption)) {
      const ownKey = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: '<Key.Arn>' };
      expect(found, id).toEqual(id === 'BucketAccessLogs' ? { SSEAlgorithm: 'AES256' } : ownKey);
    }
  });

  test('every log group ends: the log of addresses after days, the others as the environment says', () => {
    const { logRetentionDays, addressRetentionDays } = settings[environment];
    for (const [id, { Properties }] of all('AWS::Logs::LogGroup')) {
      const days = id === 'BlockedRequests' ? addressRetentionDays : logRetentionDays;
      expect(Properties.RetentionInDays, id).toBe(days);
    }
  });

  test('every API takes TLS 1.2 with forward secrecy, or 1.3', () => {
    const apis = all('AWS::ApiGateway::RestApi');
    expect(apis.length).toBe(2);
    for (const [, { Properties }] of apis) {
      expect(Properties).toMatchObject({
        SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
        EndpointAccessMode: 'STRICT',
        Body: {
          'x-amazon-apigateway-security-policy': 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
          'x-amazon-apigateway-endpoint-access-mode': 'STRICT',
        },
      });
    }
    // One of these would need a policy of its own.
    for (const type of ['AWS::ApiGateway::DomainName', 'AWS::ApiGatewayV2::Api', 'AWS::Lambda::Url']) {
      expect(all(type), type).toEqual([]);
    }
  });

  test.each([
    ['AWS::S3::Bucket', 'AWS::S3::BucketPolicy', (of: Record<string, unknown>) => [of.Bucket]],
    ['AWS::SQS::Queue', 'AWS::SQS::QueuePolicy', (of: Record<string, unknown>) => of.Queues],
    ['AWS::SNS::Topic', 'AWS::SNS::TopicPolicy', (of: Record<string, unknown>) => of.Topics],
  ])('every %s refuses what is not encrypted on its way', (type, policyType, targets) => {
    const refusing = all(policyType).filter(([, { Properties }]) =>
      (Properties.PolicyDocument as Document).Statement.some(
        ({ Effect, Principal, Condition }) =>
          Effect === 'Deny' && Principal === '*' && Condition?.Bool?.['aws:SecureTransport'] === 'false',
      ),
    );
    const covered = refusing.flatMap(([, { Properties }]) => targets(Properties) as { Ref: string }[]);
    expect(covered.map(({ Ref }) => Ref).sort()).toEqual(
      all(type)
        .map(([id]) => id)
        .sort(),
    );
  });

  test('every mail goes to its mailbox by TLS, or not at all', () => {
    const sets = all('AWS::SES::ConfigurationSet').map(([id, { Properties }]) => [id, Properties.DeliveryOptions]);
    expect(sets).toEqual([['MailTransport', { TlsPolicy: 'REQUIRE' }]]);
    const sending = all('AWS::Lambda::Function').filter(([, { Properties }]) =>
      /MAIL_FROM/.test(JSON.stringify(Properties)),
    );
    expect(sending.map(([id, { Properties }]) => [id, variablesOf(Properties).MAIL_TRANSPORT])).toEqual([
      ['SendMailFunction', '<State:MailTransport>'],
    ]);
  });

  test('no log group that is kept can be deleted before somebody lifts its protection', () => {
    const { keepsData } = settings[environment];
    const groups = all('AWS::Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(50);
    for (const [id, { Properties, DeletionPolicy }] of groups) {
      // Its name is fixed: a protected group of a failed first deploy would be in the way of the next one.
      const isProtected = keepsData && id !== 'BlockedRequests';
      expect(Properties.DeletionProtectionEnabled ?? false, id).toBe(isProtected);
      // CloudFormation cannot delete a protected group, so it must not try when it rolls back.
      if (isProtected) expect(DeletionPolicy, id).toBe('Retain');
    }
  });

  test('what is blocked is logged without what it asked for, and nothing else is', () => {
    const { ResourceArn, LogDestinationConfigs, ...logging } = properties(State, 'BlockedRequestsLogging');
    expect(ResourceArn).toBe('<WebAcl.Arn>');
    expect(LogDestinationConfigs).toEqual([expect.stringMatching(/:log-group:<BlockedRequests>$/)]);
    expect(logging).toEqual({
      RedactedFields: [{ UriPath: {} }],
      LoggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          { Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] },
        ],
      },
    });
    // A field type without keys is all of its kind.
    const types = ['SINGLE_HEADER', 'SINGLE_COOKIE', 'QUERY_STRING', 'SINGLE_QUERY_ARGUMENT', 'BODY'];
    expect(properties(State, 'WebAcl').DataProtectionConfig).toEqual({
      DataProtections: types.map((FieldType) => ({ Field: { FieldType }, Action: 'SUBSTITUTION' })),
    });
    expect(resource(State, 'BlockedRequests').Properties.LogGroupName).toBe(
      `aws-waf-logs-mobile-health-${environment}`,
    );
  });
});

test('over all environments these wildcards are allowed, where there is nothing narrower, and no other', () => {
  const found = environments.flatMap((environment) =>
    Object.values(stage(environment).templates).flatMap((template: Template) =>
      Object.values(template.Resources).flatMap(({ Type, Properties }) => wildcards(Type, readable(Properties))),
    ),
  );
  expect([...new Set(found)].sort()).toEqual([
    'AWS::IAM::Policy s3:GetObject, s3:GetObjectVersion on <bucket>/erasure-begun/*',
    'AWS::IAM::Policy s3:GetObject, s3:GetObjectVersion on <bucket>/erasure-decisions/*',
    'AWS::IAM::Policy s3:GetObject, s3:GetObjectVersion on <bucket>/erasure-requests/*',
    'AWS::IAM::Policy s3:GetObject, s3:GetObjectVersion on <bucket>/tombstones/*',
    'AWS::IAM::Policy s3:PutObject on <bucket>/erasures/*',
    'AWS::IAM::Policy s3:PutObject on <bucket>/tombstones/*',
    'AWS::IAM::Policy xray:PutTelemetryRecords, xray:PutTraceSegments on *',
    'AWS::IAM::Role cloudwatch:DescribeAlarms on alarm:*',
    'AWS::IAM::Role dynamodb:ListStreams on <table>/stream/*',
    'AWS::IAM::Role s3:AbortMultipartUpload, s3:DeleteObject, s3:GetObject, s3:PutObject on <bucket>/*',
    'AWS::IAM::Role s3:DeleteObject on <bucket>/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/erasure-begun/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/erasure-decisions/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/erasure-requests/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/imports/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/ledger/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/pointer-changes/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/receipt-key-revocations/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/receipt-keys/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/tombstone-revocations/*',
    'AWS::IAM::Role s3:GetObject, s3:GetObjectVersion on <bucket>/tombstones/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/access-log-changes/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/audit-changes/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/erasure-begun/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/erasure-decisions/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/erasure-requests/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/erasures/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/ledger-changes/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/ledger/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/pointer-changes/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/receipt-changes/*',
    'AWS::IAM::Role s3:PutObject on <bucket>/receipt-keys/*',
    'AWS::IAM::Role s3:PutObjectLegalHold on <bucket>/*',
    'AWS::IAM::Role sns:DeleteEndpoint on <platform application of the environment>/*',
    'AWS::IAM::Role sns:DeleteEndpoint, sns:GetEndpointAttributes, sns:SetEndpointAttributes on <platform application>/*',
    'AWS::IAM::Role sns:GetEndpointAttributes on <platform application>/*',
    'AWS::IAM::Role sns:Publish on <platform application>/*',
    'AWS::IAM::Role xray:PutTelemetryRecords, xray:PutTraceSegments on *',
    // A key's policy is only about that key, whatever it calls it.
    'AWS::KMS::Key AccountDecidesByIam',
    'AWS::KMS::Key AlarmsOfThisEnvironment',
    'AWS::KMS::Key LogsOfThisEnvironment',
    'AWS::KMS::Key TopicsOfThisEnvironment',
    'AWS::S3::BucketPolicy s3:PutObject on <bucket>/*',
  ]);
});

test.each(environments)(
  '%s: a template is in ASCII, as GetTemplate gives it back with a ? for anything else',
  (environment) => {
    for (const [name, template] of Object.entries(stage(environment).templates)) {
      expect(JSON.stringify(template).match(/[^\x20-\x7e]{1,20}.{0,40}/)?.[0], name).toBeUndefined();
    }
  },
);

function variablesOf(properties: unknown): Record<string, unknown> {
  const { Environment } = readable(properties) as { Environment?: { Variables?: Record<string, unknown> } };
  return Environment?.Variables ?? {};
}

/** The statements of a resource that allow a wildcard, in a short form. */
function wildcards(type: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => wildcards(type, one));
  if (value === null || typeof value !== 'object') return [];
  if (!('Effect' in value && 'Action' in value)) return Object.values(value).flatMap((one) => wildcards(type, one));
  const { Effect, Sid, Action, Resource: on = [] } = value as Statement;
  const actions = [Action].flat();
  const resources = [on].flat().filter((one) => one.includes('*'));
  if (Effect !== 'Allow' || (resources.length === 0 && !actions.some((action) => action.includes('*')))) return [];
  if (type === 'AWS::KMS::Key') return [`${type} ${Sid}`];
  return resources.map((one) => `${type} ${actions.toSorted().join(', ')} on ${kindOf(one)}`);
}

function kindOf(arn: string): string {
  if (/^<[^<>]+\.Arn>\/stream\/\*$/.test(arn)) return '<table>/stream/*';
  if (/^<[^<>]+\.Arn>\/([\w-]+\/)?\*$/.test(arn)) return arn.replace(/^<[^<>]+>/, '<bucket>');
  const ofBucket = /^arn:<AWS::Partition>:s3:::<State:\w+>(\/([\w-]+\/)?\*)$/.exec(arn);
  if (ofBucket) return `<bucket>${ofBucket[1]}`;
  if (/:sns:.*:endpoint\/\*\/mobile-health-\w+-\*$/.test(arn)) return '<platform application of the environment>/*';
  if (/:sns:.*:endpoint\/[^*]+\/\*$/.test(arn)) return '<platform application>/*';
  return arn.replace(/^arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:/, '');
}
