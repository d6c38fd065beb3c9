import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/deployments.ts';
import { acknowledge } from './acknowledgements.ts';
import { assumedBy } from './policy.ts';
import { removal } from './removal.ts';
import type { Settings } from './settings.ts';

type BackedUp = { readonly keyArn: string; readonly settings: Settings; readonly tables: Iterable<CfnTable> };

/**
 * Every table, daily and monthly, in a vault that keeps what it has: point-in-time recovery goes with its table and ends
 * after 35 days. The lock is one of compliance where it can only be changed for a few days, and then by nobody, AWS
 * included: https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html
 */
export function addBackups(stack: Stack, environment: Environment, { keyArn, settings, tables }: BackedUp): void {
  const { backups, keepsData } = settings;
  if (!backups) return;
  const { dailyDays, monthlyDays, lockChangeableForDays } = backups;
  const vault = new CfnBackupVault(stack, 'BackupVault', {
    backupVaultName: `mobile-health-${environment}`,
    encryptionKeyArn: keyArn,
    lockConfiguration: {
      minRetentionDays: dailyDays,
      maxRetentionDays: monthlyDays ?? dailyDays,
      ...(lockChangeableForDays !== null && { changeableForDays: lockChangeableForDays }),
    },
  });
  vault.applyRemovalPolicy(removal(keepsData));
  const rule = (ruleName: string, scheduleExpression: string, deleteAfterDays: number) => ({
    ruleName,
    targetBackupVault: vault.ref,
    scheduleExpression,
    // At night in Germany; a backup that has not begun after an hour is a failed one, which AWS Backup tells.
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
    // The documented policy for this one purpose, which AWS keeps up to date:
    // https://docs.aws.amazon.com/aws-backup/latest/devguide/iam-service-roles.html
    managedPolicyArns: [`arn:${Aws.PARTITION}:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup`],
  });
  acknowledge(role, 'backupByAws');
  new CfnBackupSelection(stack, 'BackupSelection', {
    backupPlanId: plan.ref,
    backupSelection: {
      selectionName: 'tables',
      iamRoleArn: role.attrArn,
      resources: [...tables].map(({ attrArn }) => attrArn),
    },
  });
}
