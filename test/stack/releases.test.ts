import { describe, expect, test } from 'vitest';
import { operations, tables } from '../../functions/domains.ts';
import { environments } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import type { Operation } from '../../lib/contract/declarations.ts';
import type { Application, Environment } from '../../lib/contract/register.ts';
import { checkCanaries } from '../../lib/stack/canary.ts';
import { logicalId } from '../../lib/stack/names.ts';
import { routed } from './api-body.ts';
import { failedRequest } from './failed-request.ts';
import { ofType, properties, resource, stage, type Template } from './stage.ts';

/** Where a canaried function is, in the applications that serve it. */
const canaried: [string, string, Template | undefined, Template | undefined][] = (
  ['Sleepcare', 'Medinfo'] as const
).flatMap((application) => {
  const { templates } = stage('prod');
  const of = (domain: string) => [templates[`${application}${domain}`], templates[application]] as const;
  return [
    [application, 'Agree', ...of('Consents')],
    [application, 'RevokeConsent', ...of('Consents')],
    [application, 'CheckAppVersion', ...of('AppVersion')],
  ] as [string, string, Template | undefined, Template | undefined][];
});

describe('a release', () => {
  test('is tried first in staging and prod, for consents and the version check, and for nothing else', () => {
    const known = operations.map(({ id }) => id);
    for (const environment of environments) {
      for (const id of settings[environment].canaries) expect(known).toContain(id);
      const groups = Object.values(stage(environment).templates).flatMap((template) =>
        Object.keys(ofType('AWS::CodeDeploy::DeploymentGroup', template)),
      );
      const expected = environment === 'dev' ? [] : canaried.map(([, id]) => `${id}ReleaseGroup`).sort();
      expect(groups.sort(), environment).toEqual(expected);
    }
  });

  test('is refused where a canary is no operation, or nothing would ring', () => {
    const canaries = ['agree', 'revokeConsents'];
    expect(() => checkCanaries({ canaries, alarmEmails: [] }, operations)).toThrow(
      'there is no operation revokeConsents',
    );
    expect(() => checkCanaries({ canaries: ['agree'], alarmEmails: null }, operations)).toThrow('without alarms');
  });

  test.each(canaried)('%s %s: moves a tenth for five minutes, and back on an alarm', (_, id, template) => {
    expect(properties(template, `${id}ReleaseGroup`)).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
      AutoRollbackConfiguration: { Enabled: true, Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']) },
      AlarmConfiguration: {
        Enabled: true,
        IgnorePollAlarmFailure: false,
        Alarms: ['Errors', 'Latency'].map((what) => ({ Name: `<${id}Release${what}Alarm>` })),
      },
    });
    expect(properties(template, `${id}Releases`)).toEqual({ ComputePlatform: 'Lambda' });
    const alias = resource(template, `${id}Live`) as { UpdatePolicy?: unknown };
    expect(alias.UpdatePolicy).toEqual({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: { Ref: `${id}Releases` },
        DeploymentGroupName: { Ref: `${id}ReleaseGroup` },
      },
    });
  });

  test.each(canaried)('%s %s: the gateway may call the alias, and calls nothing else', (_, id, template, api) => {
    const { FunctionName } = properties(api, `${id}Invocation`);
    expect(FunctionName).toMatch(new RegExp(`${id}Live[0-9A-F]{8}Ref>$`));
    expect(resource(template, `${id}Live`).Type).toBe('AWS::Lambda::Alias');
    const uris = routed(api).map(({ operation }) => operation['x-amazon-apigateway-integration'].uri ?? '');
    expect(uris.filter((uri) => uri.includes(`${id}Live`))).toHaveLength(1);
    expect(uris.filter((uri) => uri.includes(`${id}Function`))).toEqual([]);
  });

  test.each(canaried)(
    '%s %s: its alarms watch the alias, and what its log calls a failure',
    async (application, id, template) => {
      const ofAlias = [
        { Name: 'FunctionName', Value: `<${id}Function>` },
        { Name: 'Resource', Value: `<${id}Function>:live` },
      ];
      expect(properties(template, `${id}ReleaseLatencyAlarm`)).toMatchObject({
        MetricName: 'Duration',
        ExtendedStatistic: 'p99',
        Dimensions: ofAlias,
      });
      const { Metrics } = properties(template, `${id}ReleaseErrorsAlarm`) as {
        Metrics: {
          Expression?: string;
          MetricStat?: { Stat: string; Metric: { MetricName: string; Dimensions: unknown } };
        }[];
      };
      // Neither can a count below 0, which any function's log can have, take an error away.
      expect(Metrics.map(({ MetricStat, Expression }) => MetricStat?.Stat ?? Expression)).toEqual([
        'Sum',
        'Maximum',
        'FILL(crashed, 0) + IF(FILL(failed, 0) > 0, 1, 0)',
      ]);
      const [crashed, failed] = Metrics.map(({ MetricStat }) => MetricStat?.Metric);
      expect(crashed).toMatchObject({ MetricName: 'Errors', Dimensions: ofAlias });
      const filter = properties(template, `${id}ServerErrors`);
      expect(filter).toMatchObject({ LogGroupName: `<${id}Logs>`, FilterPattern: '{ $.status >= 500 }' });
      const [counted] = filter.MetricTransformations as {
        MetricName: string;
        Dimensions: { Key: string; Value: string }[];
      }[];
      const operation = operations.find((one) => logicalId(one.id) === id) as Operation;
      const line = await failedRequest(operation, application.toLowerCase() as Application);
      expect(line.status).toBe(500);
      expect(failed).toMatchObject({
        MetricName: counted?.MetricName,
        // `$.route` is the line's field `route`.
        Dimensions: counted?.Dimensions.map(({ Key, Value }) => ({ Name: Key, Value: line[Value.slice(2)] })),
      });
    },
  );

  test.each(canaried)('%s %s: CodeDeploy may move only this alias', (_, id, template) => {
    const { Policies } = properties(template, `${id}ReleaseRole`) as {
      Policies: { PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown }[] } }[];
    };
    const [lambda, ...others] = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(lambda?.Resource).toEqual([`<${id}Function.Arn>`, `<${id}Function.Arn>:live`]);
    expect(others.map(({ Action }) => Action)).toEqual(['cloudwatch:DescribeAlarms']);
  });

  test('every nested stack has room for it', () => {
    for (const [name, { Resources }] of Object.entries(stage('prod').templates)) {
      expect(Object.keys(Resources).length, name).toBeLessThan(450);
    }
  });
});

describe('backups', () => {
  const state = (environment: Environment) => stage(environment).templates.State;

  test('prod: all tables, daily and monthly, in a vault whose lock nobody can lift after three days', () => {
    const prod = state('prod');
    expect(properties(prod, 'BackupVault')).toMatchObject({
      EncryptionKeyArn: '<Key.Arn>',
      LockConfiguration: { MinRetentionDays: 35, MaxRetentionDays: 366, ChangeableForDays: 3 },
    });
    expect(resource(prod, 'BackupVault').DeletionPolicy).toBe('RetainExceptOnCreate');
    // Deleted after it, and kept where it cannot be: by this role AWS Backup deletes what has expired.
    expect(resource(prod, 'BackupVault')).toMatchObject({ DependsOn: ['BackupRole'] });
    const { BackupPlanRule } = properties(prod, 'BackupPlan').BackupPlan as { BackupPlanRule: object[] };
    expect(BackupPlanRule).toMatchObject([
      { RuleName: 'daily', TargetBackupVault: '<BackupVault>', Lifecycle: { DeleteAfterDays: 35 } },
      { RuleName: 'monthly', TargetBackupVault: '<BackupVault>', Lifecycle: { DeleteAfterDays: 366 } },
    ]);
    const { Resources } = properties(prod, 'BackupSelection').BackupSelection as { Resources: string[] };
    const expected = tables.map(({ name }) => name).filter((name) => name !== 'Clock');
    expect(Resources.sort()).toEqual(expected.map((name) => `<${name}Table.Arn>`).sort());
  });

  test('staging: daily for a week, under a lock that can be lifted', () => {
    const { LockConfiguration } = properties(state('staging'), 'BackupVault');
    expect(LockConfiguration).toEqual({ MinRetentionDays: 7, MaxRetentionDays: 7 });
  });

  test('dev: none', () => {
    expect(ofType('AWS::Backup::BackupPlan', state('dev'))).toEqual({});
  });

  test.each(['staging', 'prod'] as const)(
    '%s: one that failed, was not begun or was stopped is reported',
    (environment) => {
      const { Metrics, ...alarm } = properties(state(environment), 'BackupFailedAlarm') as {
        Metrics: { Expression?: string; MetricStat?: object }[];
      };
      expect(alarm).toMatchObject({ Threshold: 1, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' });
      const Dimensions = [{ Name: 'BackupVaultName', Value: '<BackupVault>' }];
      expect(Metrics.flatMap(({ MetricStat }) => MetricStat ?? [])).toEqual(
        ['Failed', 'Expired', 'Aborted'].map((end) => ({
          Metric: { Namespace: 'AWS/Backup', MetricName: `NumberOfBackupJobs${end}`, Dimensions },
          Period: 86_400,
          Stat: 'Sum',
        })),
      );
      expect(Metrics.at(-1)?.Expression).toBe('FILL(failed, 0) + FILL(expired, 0) + FILL(aborted, 0)');
    },
  );

  test('every rule keeps what the lock lets it keep', () => {
    for (const environment of environments) {
      const { backups } = settings[environment];
      if (!backups) continue;
      expect(backups.monthlyDays ?? backups.dailyDays).toBeGreaterThanOrEqual(backups.dailyDays);
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-backup-backupvault-lockconfigurationtype.html
      if (backups.lockChangeableForDays !== null) expect(backups.lockChangeableForDays).toBeGreaterThanOrEqual(3);
    }
  });
});

test('what cannot be made again stays when a prod stack goes, and when it is replaced', () => {
  const kept = /DynamoDB::Table|Cognito::UserPool$|KMS::Key|S3::Bucket$|Backup::BackupVault/;
  for (const { Resources } of Object.values(stage('prod').templates)) {
    for (const [id, each] of Object.entries(Resources)) {
      if (!kept.test(each.Type)) continue;
      const { DeletionPolicy, UpdateReplacePolicy } = each as { DeletionPolicy?: string; UpdateReplacePolicy?: string };
      // What has a fixed name must not be in the way of the attempt after a failed first deploy.
      const retained = id === 'BackupVault' ? 'RetainExceptOnCreate' : 'Retain';
      expect([DeletionPolicy, UpdateReplacePolicy], id).toEqual([retained, 'Retain']);
    }
  }
});
