import { describe, expect, test } from 'vitest';
import { TemplateError } from '../../../lib/local/template/intrinsics.ts';
import { modelAfter, type SmallStage } from './small-stage.ts';

describe('a missing line', () => {
  const without = (logicalId: string) => (stage: SmallStage) => {
    for (const { Resources } of [stage.State, stage.Api, stage.functions]) delete Resources?.[logicalId];
  };
  const property = (logicalId: string, name: string, value?: unknown) => (stage: SmallStage) => {
    const { Properties = {} } = stage.resources[logicalId] ?? {};
    if (value === undefined) delete Properties[name];
    else Properties[name] = value;
  };

  test.each<[string, (stage: SmallStage) => void, string]>([
    [
      'the function’s permission',
      without('GetPermission'),
      'Api/RecordGet: no AWS::Lambda::Permission lets API Gateway',
    ],
    ['the authorizer’s permission', without('AuthorizerPermission'), 'Api/Authorizer: no AWS::Lambda::Permission lets'],
    ['the stage', without('Stage'), 'there is no Stage in Api'],
    ['the authorizer', without('Authorizer'), 'there is no Authorizer in Api'],
    ['a method’s authorizer', property('RecordGet', 'AuthorizerId'), 'CUSTOM without an AuthorizerId'],
    ['a role', without('ListRole'), 'there is no ListRole in Api/Functions'],
    ['a resource of the path', without('V1'), 'Api/Record.ParentId.Ref: there is no V1 in Api'],
    ['an output of another stack', ({ State }) => delete State.Outputs?.Records, 'State has no output Records'],
    ['a nested stack’s parameter', property('Functions', 'Parameters'), 'the parameter RecordsArn has no value'],
    [
      'a nested stack’s output',
      ({ functions }) => delete functions.Outputs?.ListArn,
      'Api/Functions has no output ListArn',
    ],
    ['the key source', property('Rest', 'ApiKeySourceType'), 'needs an API key, whose source must be AUTHORIZER'],
    ['the secret', without('Cursors'), 'State.Outputs.Cursors.Ref: there is no Cursors in State'],
    ['a mock’s method response', property('RecordOptions', 'MethodResponses'), 'Api/RecordOptions: a mock needs'],
    ['a bundle', property('List', 'Code', { S3Key: 'other.zip' }), 'the assembly has no asset "other.zip"'],
    ['an operation', ({ resources }) => delete resources.List?.Metadata, 'which is no function with an operation'],
    ['a handler', property('List', 'Handler'), 'Api/Functions/List.Handler: a value of type string is needed'],
    [
      'the plan’s throttle',
      property('Plan', 'Throttle'),
      'Api/Plan: a usage plan runs on this machine with a throttle',
    ],
  ])('%s: %#', (_, change, message) => {
    const refused = () => modelAfter(change);
    expect(refused).toThrow(TemplateError);
    expect(refused).toThrow(message);
  });

  test('a policy or an association that is missing is missing in the model', () => {
    const { principals, functions } = modelAfter(without('ListPolicy'));
    const role = functions.find(({ operation }) => operation === 'list-records')?.roleArn;
    expect(principals.find(({ arn }) => arn === role)?.statements).toHaveLength(1);
    expect(modelAfter(without('Association')).rateLimits[0]?.apiIds).toEqual([]);
    expect(modelAfter(without('PlanKey')).apis[0]?.usagePlans[0]?.keys).toEqual([]);
    expect(modelAfter(property('Key', 'Enabled', false)).apis[0]?.usagePlans[0]?.keys).toEqual([]);
    expect(modelAfter(without('NotFound')).apis[0]?.gatewayResponses).toEqual([]);
    expect(modelAfter(without('Patients')).userPools[0]?.groups).toEqual([]);
  });
});

describe('what would run otherwise than on AWS is refused', () => {
  const method = (Properties: Record<string, unknown>) => (stage: SmallStage) => {
    Object.assign(stage.resources.RecordGet?.Properties ?? {}, Properties);
  };
  test.each<[string, (stage: SmallStage) => void, string]>([
    ['IAM authorization', method({ AuthorizationType: 'AWS_IAM' }), 'the authorization AWS_IAM does not run here'],
    ['another integration', method({ Integration: { Type: 'HTTP' } }), 'an integration of type HTTP does not run'],
    [
      'a managed policy',
      ({ resources }) => {
        const role = resources.ListRole?.Properties;
        if (role) role.ManagedPolicyArns = ['arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess'];
      },
      'what arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess allows is not known on this machine',
    ],
    [
      'a rule by a forwarded header',
      ({ resources }) => {
        const [rule] = (resources.Firewall?.Properties?.Rules ?? []) as { Statement: unknown }[];
        if (rule) rule.Statement = { RateBasedStatement: { Limit: 100, AggregateKeyType: 'FORWARDED_IP' } };
      },
      'Api/Firewall: the rule by-address must block by IP',
    ],
  ])('%s', (_, change, message) => {
    expect(() => modelAfter(change)).toThrow(message);
  });
});
