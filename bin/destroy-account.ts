import { BackupClient, paginateListRecoveryPointsByBackupVault } from '@aws-sdk/client-backup';
import { CloudFormationClient, paginateListStackResources, paginateListStacks } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeKeyCommand, KMSClient, NotFoundException } from '@aws-sdk/client-kms';
import { DeletePlatformApplicationCommand, paginateListPlatformApplications, SNSClient } from '@aws-sdk/client-sns';
import { paginateGetParametersByPath, SSMClient } from '@aws-sdk/client-ssm';
import type { RecoveryPoint, StageAccount } from './destroy-stage.ts';
import { emptyBucket } from './empty-bucket.ts';
import { deleteStack, stackNamed } from './stack-run.ts';

/** The account and region of the shell's AWS credentials, for `npm run cli -- destroy`. */

const limits = { maxAttempts: 8, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

export function accountOfTheShell(pollMs: number): StageAccount {
  const cloudFormation = new CloudFormationClient(limits);
  const kms = new KMSClient(limits);
  const sns = new SNSClient(limits);
  return {
    region: () => cloudFormation.config.region(),
    async stack(name) {
      const found = await stackNamed(cloudFormation, name);
      if (!found?.StackId) return null;
      return {
        id: found.StackId,
        isProtected: found.EnableTerminationProtection ?? false,
        outputs: Object.fromEntries((found.Outputs ?? []).map((each) => [each.OutputKey, each.OutputValue ?? ''])),
        tags: Object.fromEntries((found.Tags ?? []).map(({ Key, Value }) => [Key, Value ?? ''])),
      };
    },
    async resources(stackId) {
      const found = [];
      for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName: stackId })) {
        for (const each of page.StackResourceSummaries ?? [])
          found.push({
            logicalId: each.LogicalResourceId ?? '',
            type: each.ResourceType ?? '',
            id: each.PhysicalResourceId ?? '',
            isThere: each.ResourceStatus !== 'DELETE_COMPLETE',
          });
      }
      return found.filter(({ id }) => id !== '');
    },
    async deletedStacks(name) {
      const found: string[] = [];
      const deleted = { StackStatusFilter: ['DELETE_COMPLETE' as const] };
      for await (const { StackSummaries = [] } of paginateListStacks({ client: cloudFormation }, deleted))
        found.push(
          ...StackSummaries.flatMap(({ StackName, StackId }) => (StackName === name && StackId ? [StackId] : [])),
        );
      return found;
    },
    deleteStack: (stackId) => deleteStack(cloudFormation, stackId, pollMs),
    emptyBucket,
    async platformApplications() {
      const found: string[] = [];
      for await (const { PlatformApplications = [] } of paginateListPlatformApplications({ client: sns }, {}))
        found.push(...PlatformApplications.flatMap(({ PlatformApplicationArn }) => PlatformApplicationArn ?? []));
      return found;
    },
    async deletePlatformApplication(arn) {
      await sns.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn: arn }));
    },
    async keyDeletion(keyId) {
      const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: keyId })).catch((error: unknown) => {
        if (error instanceof NotFoundException) return { KeyMetadata: undefined };
        throw error;
      });
      return KeyMetadata?.DeletionDate ?? null;
    },
    async recoveryPoints(vault) {
      const found: RecoveryPoint[] = [];
      const client = new BackupClient(limits);
      for await (const { RecoveryPoints = [] } of paginateListRecoveryPointsByBackupVault(
        { client },
        { BackupVaultName: vault },
      )) {
        for (const { RecoveryPointArn, CalculatedLifecycle } of RecoveryPoints)
          found.push({ arn: RecoveryPointArn ?? '', until: CalculatedLifecycle?.DeleteAt ?? null });
      }
      return found;
    },
    async logGroups(logGroupNamePrefix) {
      const found = [];
      const client = new CloudWatchLogsClient(limits);
      for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, { logGroupNamePrefix }))
        found.push(...logGroups.flatMap(({ logGroupName }) => logGroupName ?? []));
      return found;
    },
    async parameters(Path) {
      const found = [];
      const client = new SSMClient(limits);
      for await (const { Parameters = [] } of paginateGetParametersByPath({ client }, { Path, Recursive: true }))
        found.push(...Parameters.flatMap(({ Name }) => Name ?? []));
      return found;
    },
  };
}
