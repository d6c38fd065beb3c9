import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Settings } from '../contract/settings.ts';
import { acknowledge } from './acknowledgements.ts';
import { addAlarm, type Watch } from './alarm.ts';
import { assumedBy } from './policy.ts';
import { removalOnceMade } from './removal.ts';

type BackedUp = { readonly keyArn: string; readonly settings: Settings; readonly tables: Iterable<CfnTable> };

/**
 * Backups of every table, daily and monthly, in a vault that nobody can delete from early. They are needed because
 * point-in-time recovery ends with its table, and after 35 days. The lock is in compliance mode where it can be changed
 * only for a few days; after these nobody can change it, not even AWS:
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html
 */
export function addBackups(stack: Stack, watch: Watch, { keyArn, settings, tables }: BackedUp): void {
  const { environment } = watch;
  const { backups, keepsData } = settings;
  if (!backups) return;
  const { dailyDays, monthlyDays, lockChangeableForDays } = backups;
  const name = `mobile-health-${environment}`;
  const vault = addVault(stack, name, { keyArn, dailyDays, monthlyDays, lockChangeableForDays });
  vault.applyRemovalPolicy(removalOnceMade(keepsData));
  const rule = (ruleName: string, scheduleExpression: string, deleteAfterDays: number) => ({
    ruleName,
    targetBackupVault: vault.ref,
    scheduleExpression,
    // At night in Germany. A backup that has not begun after an hour is given up, and the alarm below rings.
    scheduleExpressionTimezone: 'Etc/UTC',
    startWindowMinutes: 60,
    completionWindowMinutes: 720,
    lifecycle: { deleteAfterDays },
  });
  const plan = new CfnBackupPlan(stack, 'BackupPlan', {
    backupPlan: {
      backupPlanName: `mobile-health-${environment}`,
      backupPlanRule: [
        rule('daily', 'cron(0 1 * * ? *)', dailyDays),
        ...(monthlyDays === null ? [] : [rule('monthly', 'cron(0 3 1 * ? *)', monthlyDays)]),
      ],
    },
  });
  const role = new CfnRole(stack, 'BackupRole', {
    description: 'AWS Backup reads the tables and writes the vault',
    assumeRolePolicyDocument: assumedBy('backup.amazonaws.com'),
    // AWS's documented policy for exactly this purpose, which AWS keeps up to date:
    // https://docs.aws.amazon.com/aws-backup/latest/devguide/iam-service-roles.html
    managedPolicyArns: [`arn:${Aws.PARTITION}:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup`],
  });
  acknowledge(role, 'backupByAws');
  // AWS Backup uses the role to delete expired backups. The vault depends on the role, so CloudFormation deletes the vault
  // first, and keeps the role if the vault cannot be deleted:
  // https://docs.aws.amazon.com/aws-backup/latest/devguide/backup-iam.html
  vault.addDependency(role);
  new CfnBackupSelection(stack, 'BackupSelection', {
    backupPlanId: plan.ref,
    backupSelection: {
      selectionName: 'tables',
      iamRoleArn: role.attrArn,
      resources: [...tables].map(({ attrArn }) => attrArn),
    },
  });
  addFailureAlarm(stack, watch, vault.ref);
}

type Vault = { readonly keyArn: string } & NonNullable<Settings['backups']>;

/** With a lock no backup can be deleted before its time. */
export function addVault(
  stack: Stack,
  backupVaultName: string,
  { keyArn, dailyDays, monthlyDays, lockChangeableForDays }: Vault,
): CfnBackupVault {
  return new CfnBackupVault(stack, 'BackupVault', {
    backupVaultName,
    encryptionKeyArn: keyArn,
    lockConfiguration: {
      minRetentionDays: dailyDays,
      maxRetentionDays: monthlyDays ?? dailyDays,
      ...(lockChangeableForDays !== null && { changeableForDays: lockChangeableForDays }),
    },
  });
}

/**
 * A job that failed, that did not begin within its hour, or that somebody stopped. Counted by the day, because the next job
 * begins a day later. https://docs.aws.amazon.com/aws-backup/latest/devguide/cloudwatch.html
 */
function addFailureAlarm(stack: Stack, watch: Watch, vault: string): void {
  const dimensions = [{ name: 'BackupVaultName', value: vault }];
  const counted = ['Failed', 'Expired', 'Aborted'].map((end) => ({
    id: end.toLowerCase(),
    returnData: false,
    metricStat: {
      metric: { namespace: 'AWS/Backup', metricName: `NumberOfBackupJobs${end}`, dimensions },
      period: 86_400,
      stat: 'Sum',
    },
  }));
  const expression = counted.map(({ id }) => `FILL(${id}, 0)`).join(' + ');
  addAlarm(stack, 'BackupFailed', watch, {
    impact:
      'A table has no backup of this night. Point-in-time recovery still works; if the table is deleted, one more ' +
      'day of its data is lost.',
    metrics: [...counted, { id: 'lost', expression, label: 'backups that were not made', returnData: true }],
    threshold: 1,
    evaluationPeriods: 1,
    comparisonOperator: 'GreaterThanOrEqualToThreshold',
    treatMissingData: 'notBreaching',
  });
}
