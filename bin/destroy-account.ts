import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { DescribeKeyCommand, KMSClient, NotFoundException } from '@aws-sdk/client-kms';
import { DeletePlatformApplicationCommand, paginateListPlatformApplications, SNSClient } from '@aws-sdk/client-sns';
import type { StageAccount, Undeleted } from './destroy-stage.ts';
import { emptyBucket } from './empty-bucket.ts';

/** The account and region of the shell's AWS credentials, as `npm run destroy` asks it. */

const limits = { maxAttempts: 8, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

export function accountOfTheShell(pollMs: number): StageAccount {
  const cloudFormation = new CloudFormationClient(limits);
  const kms = new KMSClient(limits);
  const sns = new SNSClient(limits);
  return {
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
        for (const { LogicalResourceId, ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? [])
          found.push({ logicalId: LogicalResourceId ?? '', type: ResourceType ?? '', id: PhysicalResourceId ?? '' });
      }
      return found.filter(({ id }) => id !== '');
    },
    async deleteStack(stackId) {
      const begun = new Date(Date.now() - 1000);
      await cloudFormation.send(new DeleteStackCommand({ StackName: stackId }));
      for (;;) {
        const { StackStatus: status = 'DELETE_COMPLETE' } = (await stackNamed(cloudFormation, stackId)) ?? {};
        if (status === 'DELETE_COMPLETE') return [];
        if (status === 'DELETE_FAILED') return failuresOf(cloudFormation, stackId, begun);
        await sleep(pollMs);
      }
    },
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
  };
}

/** By name only those that are there; by id also those that were. */
async function stackNamed(client: CloudFormationClient, name: string): Promise<Stack | null> {
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name })).catch((error: unknown) => {
    // CloudFormation has no error of its own for what is not there.
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message))
      return { Stacks: [] };
    throw error;
  });
  return Stacks[0] ?? null;
}

async function failuresOf(client: CloudFormationClient, stackId: string, since: Date): Promise<Undeleted[]> {
  const failed = new Map<string, Undeleted>();
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: stackId })) {
    for (const event of StackEvents) {
      const { LogicalResourceId = '', ResourceType = '', ResourceStatusReason = 'no reason is told' } = event;
      if ((event.Timestamp ?? since) < since) return [...failed.values()];
      // The stack's own event repeats the names alone.
      if (
        event.ResourceStatus === 'DELETE_FAILED' &&
        event.PhysicalResourceId !== stackId &&
        !failed.has(LogicalResourceId)
      )
        failed.set(LogicalResourceId, {
          logicalId: LogicalResourceId,
          type: ResourceType,
          reason: ResourceStatusReason,
        });
    }
  }
  return [...failed.values()];
}
