import { describe, expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { metricNamespace, recordsSetAside } from '../../lib/contract/metrics.ts';
import { ofType, properties, resource, stage, watched } from './stage.ts';

/** Streams, queues and the functions that consume them. */

const state = (id: string) => `<State:${id}>`;

describe.each(environments)('%s', (environment) => {
  const { State, Sleepcare, SleepcareConsumers, Medinfo, MedinfoConsumers } = stage(environment).templates;

  test('the queue hides a message for six times its consumer’s time, and gives it up in the end', () => {
    const { VisibilityTimeout, RedrivePolicy, KmsMasterKeyId } = properties(State, 'PushQueue');
    const { Timeout } = properties(SleepcareConsumers, 'SendPushFunction');
    expect(VisibilityTimeout).toBe(6 * Number(Timeout));
    expect(RedrivePolicy).toEqual({ deadLetterTargetArn: '<PushQueueDeadLetters.Arn>', maxReceiveCount: 5 });
    expect(KmsMasterKeyId).toBe('<Key.Arn>');
  });

  test('a dead letter is under the key, too, and kept longer than the queue keeps it', () => {
    const dead = properties(State, 'PushQueueDeadLetters');
    expect(dead).toMatchObject({ KmsMasterKeyId: '<Key.Arn>', MessageRetentionPeriod: 14 * 86_400 });
    expect(properties(State, 'PushQueue').MessageRetentionPeriod).toBeLessThan(Number(dead.MessageRetentionPeriod));
  });

  test('queues and bucket accept only encrypted connections', () => {
    const denied = { Effect: 'Deny', Principal: '*' };
    const unencrypted = { ...denied, Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
    const tls11 = { ...denied, Condition: { NumericLessThan: { 's3:TlsVersion': '1.2' } } };
    for (const [id, Statement] of [
      ['PushQueuePolicy', [unencrypted]],
      ['PushQueueDeadLettersPolicy', [unencrypted]],
      ['StreamFailuresPolicy', [unencrypted, tls11]],
    ] as const) {
      expect(properties(State, id).PolicyDocument, id).toMatchObject({ Statement });
    }
  });

  test('what of the stream is given up lies a month in a bucket that nobody outside sees', () => {
    const bucket = properties(State, 'StreamFailures');
    const closed = {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    };
    expect(bucket.PublicAccessBlockConfiguration).toEqual(closed);
    expect(JSON.stringify(bucket.BucketEncryption)).toContain('aws:kms');
    expect(bucket.LifecycleConfiguration).toMatchObject({ Rules: [{ Status: 'Enabled', ExpirationInDays: 30 }] });
    const isProd = environment === 'prod';
    for (const id of ['StreamFailures', 'PushQueue', 'PushQueueDeadLetters']) {
      expect(resource(State, id).DeletionPolicy).toBe(isProd ? 'Retain' : 'Delete');
    }
  });

  test('tells the replay where it lies, and which function takes it', () => {
    expect(State?.Outputs?.StreamFailuresBucketName).toEqual({ Value: { Ref: 'StreamFailures' } });
    expect(Sleepcare?.Outputs).toHaveProperty('DispatchPushesFunctionName');
    expect(Medinfo?.Outputs).not.toHaveProperty('DispatchPushesFunctionName');
  });

  test('the stream’s consumer reports what failed, halves, gives up in bounds and loses nothing', () => {
    expect(properties(SleepcareConsumers, 'DispatchPushesSource')).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      MaximumRecordAgeInSeconds: 3600,
      DestinationConfig: { OnFailure: { Destination: `<State:StreamFailures.Arn>` } },
    });
  });

  test('the queue’s consumer reports what failed', () => {
    expect(properties(SleepcareConsumers, 'SendPushSource')).toMatchObject({
      EventSourceArn: `<State:PushQueue.Arn>`,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
  });

  test('each way to lose or delay a push has an alarm, which says what users feel', () => {
    const here = ofType('AWS::CloudWatch::Alarm', State, SleepcareConsumers);
    const names = Object.keys(here).filter((id) => /^(PushQueue|DispatchPushes|SendPush)/.test(id));
    const all = [
      'DispatchPushesDelayedAlarm',
      'DispatchPushesDroppedAlarm',
      'DispatchPushesGivenUpAlarm',
      'PushQueueDelayedAlarm',
      'PushQueueGivenUpAlarm',
      'SendPushErrorsAlarm',
    ];
    expect(names.sort()).toEqual(watched.includes(environment) ? all : []);
    for (const name of names) {
      expect(here[name]?.Properties.AlarmDescription, name).toMatch(
        new RegExp(`${environment}: (Users|Pushes) .*\\. What to do: `),
      );
    }
  });

  test('the topic of endpoints’ events is under the key, and takes what its own account sends', () => {
    expect(properties(State, 'PushEvents').KmsMasterKeyId).toBe('<Key.Arn>');
    expect(State?.Outputs?.PushEventsTopicArn?.Value).toEqual({ Ref: 'PushEvents' });
    expect(properties(State, 'PushEventsPolicy').PolicyDocument).toMatchObject({
      Statement: [
        { Effect: 'Allow', Condition: { StringEquals: { 'AWS:SourceOwner': '<AWS::AccountId>' } } },
        {
          Effect: 'Allow',
          Principal: { Service: 'sns.amazonaws.com' },
          Action: 'sns:Publish',
          Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
        },
        { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ],
    });
  });

  test('only the topic calls its consumer, which tries again in bounds', () => {
    const topic = `<State:PushEvents>`;
    expect(properties(SleepcareConsumers, 'NoteEndpointEventSource')).toEqual({
      TopicArn: topic,
      Protocol: 'lambda',
      Endpoint: '<NoteEndpointEventFunction.Arn>',
    });
    expect(properties(SleepcareConsumers, 'NoteEndpointEventPermission')).toEqual({
      Action: 'lambda:InvokeFunction',
      FunctionName: '<NoteEndpointEventFunction.Arn>',
      Principal: 'sns.amazonaws.com',
      SourceArn: topic,
    });
    expect(properties(SleepcareConsumers, 'NoteEndpointEventRetries')).toEqual({
      FunctionName: '<NoteEndpointEventFunction>',
      Qualifier: '$LATEST',
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 3600,
    });
    if (watched.includes(environment))
      expect(properties(SleepcareConsumers, 'NoteEndpointEventErrorsAlarm').MetricName).toBe('Errors');
  });

  test('medinfo reads the streams of flags, urgent tickets, looks and audit events and the queue of accepted invitations, and no topic', () => {
    expect(Medinfo?.Resources).toHaveProperty('ConsumerFunctions');
    const read = ofType('AWS::Lambda::EventSourceMapping', Medinfo, MedinfoConsumers);
    const sources = [
      'ActivateMember',
      'OpenUrgentTickets',
      'PublishUrgentTicketEvents',
      'WatchAccessLog',
      'WatchAuditEvents',
    ];
    expect(Object.keys(read).toSorted()).toEqual(sources.map((id) => `${id}Source`));
    for (const name of ['QuestionnaireFlags', 'UrgentTickets', 'AccessLog', 'AuditEvents'])
      expect(JSON.stringify(read)).toContain(`${name}TableStreamArn`);
    expect(ofType('AWS::SNS::Subscription', Medinfo, MedinfoConsumers)).toEqual({});
  });
});

describe('what runs by the clock', () => {
  const { SleepcareConsumers, MedinfoConsumers } = stage('staging').templates;

  test.each([
    ['WriteCheckpoint', 3600, [SleepcareConsumers]],
    ['EraseAccounts', 300, [SleepcareConsumers, MedinfoConsumers]],
    ['ReleaseConsents', 86_400, [SleepcareConsumers]],
  ] as const)('%s: one failure is an alarm, and so is that it does not run', (name, Period, templates) => {
    for (const template of templates) {
      const Dimensions = [{ Name: 'FunctionName', Value: `<${name}Function>` }];
      expect(properties(template, `${name}ErrorsAlarm`)).toMatchObject({
        MetricName: 'Errors',
        Threshold: 1,
        Dimensions,
      });
      expect(properties(template, `${name}NotRunAlarm`)).toMatchObject({
        Namespace: 'AWS/Lambda',
        MetricName: 'Invocations',
        Dimensions,
        Statistic: 'Sum',
        Period,
        EvaluationPeriods: 2,
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        TreatMissingData: 'breaching',
      });
      // A week from an hour on, a day below it.
      expect(2 * Period).toBeLessThanOrEqual(Period < 3600 ? 86_400 : 604_800);
    }
  });

  test.each(environments)('%s: what it counts is a metric only where an alarm reads it', (environment) => {
    for (const template of [stage(environment).templates.SleepcareConsumers]) {
      const { Environment } = properties(template, 'CheckLedgerFunction') as { Environment: { Variables: object } };
      expect('METRICS' in Environment.Variables).toBe(!watched.includes(environment));
    }
  });
});

describe('functions that send events to other services', () => {
  const { Sleepcare, SleepcareConsumers } = stage('staging').templates;

  test.each([
    ['PublishConsentEvents', 'ConsentRecords'],
    ['PublishConsentEndings', 'Erasures'],
  ])('%s: tries nearly as long as the stream keeps it, and an alarm tells of what was set aside', (name, table) => {
    expect(properties(SleepcareConsumers, `${name}Source`)).toMatchObject({
      EventSourceArn: state(`${table}TableStream.Arn`),
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: 23 * 3600,
    });
    // They give up only what the alarm has told of for 23 hours.
    const names = Object.keys(ofType('AWS::CloudWatch::Alarm', SleepcareConsumers));
    expect(names.filter((id) => id.startsWith(name))).toEqual([`${name}DelayedAlarm`]);
    expect(properties(Sleepcare, 'RecordsSetAsideAlarm')).toMatchObject({
      Namespace: metricNamespace,
      MetricName: recordsSetAside,
      Dimensions: [{ Name: 'application', Value: 'sleepcare' }],
      Threshold: 1,
    });
  });
});

describe('a consumer’s role', () => {
  const { SleepcareConsumers } = stage('dev').templates;
  const granted = (role: string) => {
    const [only] = properties(SleepcareConsumers, role).Policies as { PolicyDocument: { Statement: object[] } }[];
    const statements = (only?.PolicyDocument.Statement ?? []) as { Action: string | string[]; Resource: unknown }[];
    return statements.filter(({ Action }) => !/^(logs|xray):/.test([Action].flat()[0] ?? ''));
  };
  const through = (service: string) => ({
    StringEquals: { 'kms:ViaService': `${service}.<AWS::Region>.<AWS::URLSuffix>` },
  });

  test('the dispatcher reads devices and the stream, sends to the queue and writes failures', () => {
    expect(granted('DispatchPushesRole')).toMatchObject([
      { Action: ['dynamodb:GetItem', 'dynamodb:Query'], Resource: state('DevicesTable.Arn') },
      { Action: 'sqs:SendMessage', Resource: state('PushQueue.Arn') },
      { Condition: through('dynamodb') },
      { Condition: through('sqs') },
      {
        Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        Resource: state('AgentBoardMessagesTableStream.Arn'),
      },
      { Action: 'dynamodb:ListStreams' },
      { Action: 's3:ListBucket', Resource: state('StreamFailures.Arn') },
      { Action: 's3:PutObject' },
      { Action: ['kms:Decrypt', 'kms:DescribeKey'], Condition: through('dynamodb') },
      { Condition: through('s3') },
    ]);
  });

  test('who notes events reads tokens, writes devices and asks SNS', () => {
    expect(granted('NoteEndpointEventRole')).toMatchObject([
      { Action: ['dynamodb:GetItem', 'dynamodb:Query'], Resource: state('DeviceTokensTable.Arn') },
      { Resource: state('DevicesTable.Arn') },
      { Action: ['sns:GetEndpointAttributes'] },
      { Condition: through('dynamodb') },
    ]);
  });

  test('the sender writes devices and deliveries, publishes and receives', () => {
    const write = ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
    expect(granted('SendPushRole')).toMatchObject([
      { Action: write, Resource: [state('DevicesTable.Arn'), state('PushDeliveriesTable.Arn')] },
      { Action: ['sns:Publish'] },
      { Action: expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey']), Condition: through('dynamodb') },
      {
        Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        Resource: state('PushQueue.Arn'),
      },
      { Action: ['kms:Decrypt', 'kms:DescribeKey'], Condition: through('sqs') },
    ]);
  });
});
