import { describe, expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { readAssembly, type Template } from '../../lib/local/template/assembly.ts';
import { deployOrder, type Stacks } from './deploy-order.ts';
import { orderFindings } from './order-findings.ts';
import { type Stage, stage } from './stage.ts';

/** The stacks that the CDK CLI deploys before another, by their names. */
function waitsFor({ manifest }: Stage): (stack: string) => string[] {
  const artifacts = manifest.artifacts as Record<
    string,
    { type: string; dependencies?: string[]; properties?: { stackName?: string } }
  >;
  const isStack = (id: string) => artifacts[id]?.type === 'aws:cloudformation:stack';
  const nameOf = (id: string) => artifacts[id]?.properties?.stackName ?? id;
  return (stack) => {
    const id = Object.keys(artifacts).find((each) => isStack(each) && nameOf(each) === stack) ?? '';
    return (artifacts[id]?.dependencies ?? []).filter(isStack).map(nameOf);
  };
}

test.each(environments)('%s: what a first deployment makes waits for what it needs', (environment) => {
  const found = stage(environment);
  const order = deployOrder(readAssembly(found.directory), waitsFor(found));
  expect(order.nodes.length).toBeGreaterThan(400);
  expect(orderFindings(order)).toEqual([]);
});

describe('the check finds', () => {
  const ref = (Ref: string) => ({ Ref });
  const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
  /** `${name}` of CloudFormation's. */
  const sub = (name: string) => ({ 'Fn::Sub': ['$', `{${name}}`].join('') });
  const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
  const statement = (of: object) => ({ PolicyDocument: { Statement: [{ Effect: 'Allow', ...of }] } });
  const made: Template['Resources'] = {
    Role: { Type: 'AWS::IAM::Role' },
    Called: { Type: 'AWS::Lambda::Function', Properties: { Role: arn('Role') } },
    Topic: { Type: 'AWS::SNS::Topic' },
    Queue: { Type: 'AWS::SQS::Queue' },
  };
  const policy = { Type: 'AWS::IAM::Policy', Properties: { Roles: [ref('Role')] } };
  const permission = (service: string) => ({
    Type: 'AWS::Lambda::Permission',
    Properties: { FunctionName: arn('Called'), Principal: `${service}.amazonaws.com`, SourceArn: ref('Topic') },
  });
  const found = (Resources: Record<string, object>) => {
    const stacks: Stacks = [
      { name: 'One', template: { Resources: { ...made, ...Resources } } as Template, assets: new Map() },
    ];
    return orderFindings(deployOrder(stacks, () => []));
  };
  const subscription = { Type: 'AWS::SNS::Subscription', Properties: { Protocol: 'lambda', Endpoint: arn('Called') } };
  const bucket = (kind: string, key: string, id: string) => ({
    Type: 'AWS::S3::Bucket',
    Properties: { NotificationConfiguration: { [`${kind}Configurations`]: [{ [key]: arn(id) }] } },
  });
  const queuePolicy = { Type: 'AWS::SQS::QueuePolicy', Properties: { Queues: [ref('Queue')] } };
  const rule = { Type: 'AWS::Events::Rule', Properties: { Targets: [{ Arn: arn('Called') }] } };

  test('a function that runs before a policy of its role is there', () => {
    expect(found({ Policy: policy })).toEqual(['One/Called does not wait for One/Policy']);
    expect(found({ Policy: policy, Called: { ...made.Called, DependsOn: 'Policy' } })).toEqual([]);
    // Over a third resource, and by a substitution.
    const between = { Type: 'AWS::Logs::LogGroup', DependsOn: ['Policy'] };
    const Properties = { ...made.Called?.Properties, Description: sub('Between.Arn') };
    expect(found({ Policy: policy, Between: between, Called: { ...made.Called, Properties } })).toEqual([]);
  });

  test.each([
    ['a substitution', { Type: 'AWS::Lambda::Function', Properties: { Role: sub('Role.Arn') } }],
    [
      'a joined ARN',
      { Type: 'AWS::Lambda::Function', Properties: { Role: join('arn:aws:iam::1:role/', ref('Role')) } },
    ],
    ['a schedule’s target', { Type: 'AWS::Scheduler::Schedule', Properties: { Target: { RoleArn: arn('Role') } } }],
    [
      'a pool that sends by SMS',
      { Type: 'AWS::Cognito::UserPool', Properties: { SmsConfiguration: { SnsCallerArn: arn('Role') } } },
    ],
    ['what a statement allows', { Type: 'AWS::SQS::QueuePolicy', Properties: statement({ Resource: arn('Role') }) }],
  ])('a use of a role by %s', (_, User) => {
    const late = 'One/User does not wait for One/Policy';
    const waiting = { ...made, Called: { ...made.Called, DependsOn: 'Policy' } };
    expect(found({ ...waiting, Policy: policy, User })).toEqual([late]);
    expect(found({ ...waiting, Policy: policy, User: { ...User, DependsOn: 'Policy' } })).toEqual([]);
  });

  test('no use of a role in whom a policy speaks of', () => {
    const Called = { ...made.Called, DependsOn: 'Policy' };
    for (const whom of [
      { Principal: { AWS: arn('Role') } },
      { NotPrincipal: { AWS: [arn('Role')] } },
      { Condition: { ArnNotEquals: { 'aws:PrincipalArn': arn('Role') } } },
    ]) {
      const User = { Type: 'AWS::SQS::QueuePolicy', Properties: statement(whom) };
      expect(found({ Called, Policy: policy, User })).toEqual([]);
    }
  });

  test('what leads nowhere, which is not the same as what else leads nowhere', () => {
    const literal = 'arn:aws:lambda:eu-central-1:1:function:other';
    const nowhere = (Type: string, Properties: object) => found({ User: { Type, Properties } });
    expect(nowhere('AWS::Lambda::Function', { Role: 'arn:aws:iam::1:role/other' })).toEqual([
      'One/User: its Role leads nowhere',
    ]);
    expect(nowhere('AWS::Backup::BackupSelection', { BackupSelection: { IamRoleArn: ref('NoRole') } })).toEqual([
      'One/User: its IamRoleArn leads nowhere',
    ]);
    expect(nowhere('AWS::Lambda::EventSourceMapping', { FunctionName: literal })).toEqual([
      'One/User: its FunctionName leads nowhere',
    ]);
    expect(nowhere('AWS::ApiGateway::Stage', { StageName: 'de' })).toEqual(['One/User: its RestApiId leads nowhere']);
    const { Type, Properties } = permission('sns');
    const Permission = { Type, Properties: { ...Properties, FunctionName: literal } };
    const User = { ...subscription, DependsOn: 'Permission', Properties: { Protocol: 'lambda', Endpoint: literal } };
    expect(found({ Permission, User })).toEqual([
      'One/Permission: its FunctionName leads nowhere',
      'One/User does not wait for a permission to call an unknown resource',
      'One/User: its Endpoint leads nowhere',
    ]);
  });

  test('a subscription, a bucket or a rule that may not call its function yet', () => {
    expect(found({ Subscription: subscription })).toHaveLength(1);
    expect(found({ Subscription: subscription, Permission: permission('sns') })).toEqual([
      'One/Subscription does not wait for a permission to call One/Called',
    ]);
    const waiting = { ...subscription, DependsOn: 'Permission' };
    expect(found({ Subscription: waiting, Permission: permission('sns') })).toEqual([]);
    expect(found({ Subscription: waiting, Permission: permission('s3') })).toHaveLength(1);
    const notifying = bucket('Lambda', 'Function', 'Called');
    expect(found({ Bucket: notifying, Permission: permission('s3') })).toHaveLength(1);
    expect(found({ Bucket: { ...notifying, DependsOn: 'Permission' }, Permission: permission('s3') })).toEqual([]);
    expect(found({ Rule: rule })).toEqual(['One/Rule has no permission to call One/Called']);
    expect(found({ Rule: rule, Permission: permission('events') })).toEqual([]);
  });

  test('a bucket that may not send to its queue yet', () => {
    const notifying = bucket('Queue', 'Queue', 'Queue');
    expect(found({ Bucket: notifying, Policy2: queuePolicy })).toEqual([
      'One/Bucket does not wait for a policy of One/Queue',
    ]);
    expect(found({ Bucket: { ...notifying, DependsOn: 'Policy2' }, Policy2: queuePolicy })).toEqual([]);
  });

  test('a subscription whose messages its queue may not take yet', () => {
    const late = (user: string) => `One/${user} does not wait for a policy of One/Queue`;
    const within = { Protocol: 'sqs', Endpoint: arn('Queue') };
    const Subscription = { Type: 'AWS::SNS::Subscription', Properties: { ...within, TopicArn: ref('Topic') } };
    expect(found({ Subscription })).toEqual([late('Subscription')]);
    expect(found({ Subscription, Policy2: queuePolicy })).toEqual([late('Subscription')]);
    expect(found({ Subscription: { ...Subscription, DependsOn: 'Policy2' }, Policy2: queuePolicy })).toEqual([]);
    const Topic = { Type: 'AWS::SNS::Topic', Properties: { Subscription: [within] } };
    expect(found({ Topic, Policy2: queuePolicy })).toEqual([late('Topic')]);
  });

  test('a stage that serves before its permissions are there', () => {
    const Api = { Type: 'AWS::ApiGateway::RestApi' };
    const Stage = { Type: 'AWS::ApiGateway::Stage', Properties: { RestApiId: ref('Api') } };
    const { Properties, Type } = permission('apigateway');
    const SourceArn = { 'Fn::Join': ['', ['arn:aws:execute-api:', ref('Api'), '/de/GET/']] };
    const Permission = { Type, Properties: { ...Properties, SourceArn } };
    expect(found({ Api, Stage, Permission })).toEqual(['One/Stage does not wait for One/Permission']);
    expect(found({ Api, Stage: { ...Stage, DependsOn: ['Permission'] }, Permission })).toEqual([]);
  });
});
