import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  type Stack,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';

/** One stack's creation, update or deletion, waited for. */

/** What CloudFormation could not make or delete. */
export type FailedResource = { readonly logicalId: string; readonly type: string; readonly reason: string };

/** Nothing is done with such a stack until somebody executes its change set: the CDK leaves it so, ended at its question. */
const unanswered = 'REVIEW_IN_PROGRESS';

/** There is nothing in it. */
export function isUnanswered({ StackStatus }: Stack): boolean {
  return StackStatus === unanswered;
}

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
  const found = await stackNamed(client, name);
  const before = found ? await newestEvent(client, found.StackId ?? name) : null;
  if (found) {
    try {
      await client.send(new UpdateStackCommand(sent));
    } catch (error) {
      if (isValidation(error, /No updates are to be performed/)) return [];
      throw error;
    }
  } else await client.send(new CreateStackCommand(sent));
  const after = await settled(client, name, pollMs);
  return /^(CREATE|UPDATE)_COMPLETE$/.test(after?.StackStatus ?? '') ? [] : failuresOf(client, name, after, before);
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
  const before = await newestEvent(client, found.StackId);
  await client.send(new DeleteStackCommand({ StackName: found.StackId }));
  const after = await settled(client, found.StackId, pollMs);
  return !after || after.StackStatus === 'DELETE_COMPLETE' ? [] : failuresOf(client, name, after, before);
}

/** For so many looks it may be what was before the call. */
const staleLooks = 3;

async function settled(client: CloudFormationClient, name: string, pollMs: number): Promise<Stack | null> {
  for (let looks = 1; ; looks++) {
    const stack = await stackNamed(client, name);
    if (!stack?.StackStatus?.endsWith('_IN_PROGRESS')) return stack;
    if (isUnanswered(stack) && looks >= staleLooks) return stack;
    await sleep(pollMs);
  }
}

/** The mark from which on a call's own events are: by no clock, as this machine's may be another than CloudFormation's. */
async function newestEvent(client: CloudFormationClient, stackId: string): Promise<string | null> {
  const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName: stackId }));
  return StackEvents[0]?.EventId ?? null;
}

/** @returns at least one: where no resource says why, what CloudFormation says of the stack */
async function failuresOf(
  client: CloudFormationClient,
  name: string,
  after: Stack | null,
  before: string | null,
): Promise<FailedResource[]> {
  const failed = after?.StackId ? await failedSince(client, after.StackId, before) : [];
  if (failed.length > 0) return failed;
  const { StackStatus = 'is gone', StackStatusReason = 'no reason given' } = after ?? {};
  return [{ logicalId: name, type: 'AWS::CloudFormation::Stack', reason: `${StackStatus}: ${StackStatusReason}` }];
}

async function failedSince(
  client: CloudFormationClient,
  stackId: string,
  before: string | null,
): Promise<FailedResource[]> {
  const failed = new Map<string, FailedResource>();
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: stackId })) {
    for (const event of StackEvents) {
      const { LogicalResourceId = '', ResourceType = '', ResourceStatusReason = 'no reason given' } = event;
      if (before !== null && event.EventId === before) return [...failed.values()];
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
