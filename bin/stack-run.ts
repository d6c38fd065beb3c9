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

/** Creates, updates or deletes one stack, and waits for the end. */

/** A resource that CloudFormation could not make or delete. */
export type FailedResource = { readonly logicalId: string; readonly type: string; readonly reason: string };

/** Such a stack waits until somebody executes its change set. The CDK leaves it in this state if it is ended at its question. */
const unanswered = 'REVIEW_IN_PROGRESS';

/** The stack is empty. */
export function isUnanswered({ StackStatus }: Stack): boolean {
  return StackStatus === unanswered;
}

/** A name finds only an existing stack. An id also finds a deleted one. */
export async function stackNamed(client: CloudFormationClient, name: string): Promise<Stack | null> {
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name })).catch((error: unknown) => {
    // CloudFormation has no separate error for a stack that does not exist.
    if (isValidation(error, /does not exist/)) return { Stacks: [] };
    throw error;
  });
  return Stacks[0] ?? null;
}

/** For a small template, which is sent in the call. @returns the failures; none for an update without a change */
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

/** Also resolves if there is no stack. @returns what is left */
export async function deleteStack(
  client: CloudFormationClient,
  name: string,
  pollMs: number,
): Promise<FailedResource[]> {
  const found = await stackNamed(client, name);
  if (!found?.StackId || found.StackStatus === 'DELETE_COMPLETE') return [];
  // A stack cannot be deleted while it is being made.
  await settled(client, found.StackId, pollMs);
  const before = await newestEvent(client, found.StackId);
  await client.send(new DeleteStackCommand({ StackName: found.StackId }));
  const after = await settled(client, found.StackId, pollMs);
  return !after || after.StackStatus === 'DELETE_COMPLETE' ? [] : failuresOf(client, name, after, before);
}

/** For this number of looks, CloudFormation may still show the state before the call. */
const staleLooks = 3;

async function settled(client: CloudFormationClient, name: string, pollMs: number): Promise<Stack | null> {
  for (let looks = 1; ; looks++) {
    const stack = await stackNamed(client, name);
    if (!stack?.StackStatus?.endsWith('_IN_PROGRESS')) return stack;
    if (isUnanswered(stack) && looks >= staleLooks) return stack;
    await sleep(pollMs);
  }
}

/** The last event before a call. Later events belong to the call. Clocks are not used, because this machine's clock may be wrong. */
async function newestEvent(client: CloudFormationClient, stackId: string): Promise<string | null> {
  const { StackEvents = [] } = await client.send(new DescribeStackEventsCommand({ StackName: stackId }));
  return StackEvents[0]?.EventId ?? null;
}

/** @returns at least one failure: if no resource has a reason, CloudFormation's reason for the stack */
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
      // The stack's own event only repeats the names, and a cancelled resource is not a reason.
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
