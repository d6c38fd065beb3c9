import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  type Stack,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';

/** One stack's creation, update or deletion, waited for. */

/** What CloudFormation could not make or delete. */
export type FailedResource = { readonly logicalId: string; readonly type: string; readonly reason: string };

/** By name only one that is there; by id also one that was. */
export async function stackNamed(client: CloudFormationClient, name: string): Promise<Stack | null> {
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name })).catch((error: unknown) => {
    // CloudFormation has no error of its own for what is not there.
    if (isValidation(error, /does not exist/)) return { Stacks: [] };
    throw error;
  });
  return Stacks[0] ?? null;
}

/** Of a small template, sent whole. @returns what failed; of an update without a change nothing */
export async function deployStack(
  client: CloudFormationClient,
  name: string,
  template: object,
  pollMs: number,
): Promise<FailedResource[]> {
  const sent = {
    StackName: name,
    TemplateBody: JSON.stringify(template),
    Capabilities: ['CAPABILITY_IAM' as const],
    Tags: [{ Key: 'project', Value: 'mobile-health' }],
  };
  const begun = new Date(Date.now() - 1000);
  if (await stackNamed(client, name)) {
    try {
      await client.send(new UpdateStackCommand(sent));
    } catch (error) {
      if (isValidation(error, /No updates are to be performed/)) return [];
      throw error;
    }
  } else await client.send(new CreateStackCommand(sent));
  const { StackStatus: status = '', StackId: id = name } = (await settled(client, name, pollMs)) ?? {};
  return /^(CREATE|UPDATE)_COMPLETE$/.test(status) ? [] : failuresOf(client, id, begun);
}

/** Resolves also where there is none. @returns what is left */
export async function deleteStack(
  client: CloudFormationClient,
  name: string,
  pollMs: number,
): Promise<FailedResource[]> {
  const found = await stackNamed(client, name);
  if (!found?.StackId || found.StackStatus === 'DELETE_COMPLETE') return [];
  // Nothing can be deleted of what is being made.
  await settled(client, found.StackId, pollMs);
  const begun = new Date(Date.now() - 1000);
  await client.send(new DeleteStackCommand({ StackName: found.StackId }));
  const after = await settled(client, found.StackId, pollMs);
  return after?.StackStatus === 'DELETE_FAILED' ? failuresOf(client, found.StackId, begun) : [];
}

async function settled(client: CloudFormationClient, name: string, pollMs: number): Promise<Stack | null> {
  for (;;) {
    const stack = await stackNamed(client, name);
    if (!stack?.StackStatus?.endsWith('_IN_PROGRESS')) return stack;
    await sleep(pollMs);
  }
}

async function failuresOf(client: CloudFormationClient, stackId: string, since: Date): Promise<FailedResource[]> {
  const failed = new Map<string, FailedResource>();
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: stackId })) {
    for (const event of StackEvents) {
      const { LogicalResourceId = '', ResourceType = '', ResourceStatusReason = 'no reason given' } = event;
      if ((event.Timestamp ?? since) < since) return [...failed.values()];
      // The stack's own event repeats the names alone, and what was cancelled is no reason.
      if (!event.ResourceStatus?.endsWith('_FAILED') || event.PhysicalResourceId === stackId) continue;
      if (/cancelled$/.test(ResourceStatusReason)) continue;
      failed.set(LogicalResourceId, { logicalId: LogicalResourceId, type: ResourceType, reason: ResourceStatusReason });
    }
  }
  return [...failed.values()];
}

function isValidation(error: unknown, message: RegExp): boolean {
  return error instanceof Error && error.name === 'ValidationError' && message.test(error.message);
}
