import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteStack, deployStack } from '../../bin/stack-run.ts';
import { type PlantedEvent, startAwsAccount } from './aws-account.ts';

const account = await startAwsAccount();
const client = new CloudFormationClient({
  endpoint: account.url,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
afterAll(() => {
  client.destroy();
  return account.close();
});
beforeEach(() => {
  account.stacks.clear();
  account.calls.length = 0;
  account.on = () => undefined;
});

const asked = (action: string) => account.calls.filter((call) => call === `${action} Stack`).length;

/** By CloudFormation's clock, which is an hour behind this machine's. */
function failed(id: string, resource: string, reason: string): PlantedEvent {
  const at = new Date(Date.now() - 3_600_000);
  return { id, resource, type: 'AWS::S3::Bucket', status: 'DELETE_FAILED', reason, at };
}

/** What becomes of the stack by an action: each look at it goes a status further, and the last one stays. */
function afterwards(
  action: string,
  statuses: readonly string[],
  more: { reason?: string; events?: PlantedEvent[] } = {},
) {
  const left = [...statuses];
  let isBegun = false;
  account.on = (each) => {
    if (each === action) isBegun = true;
    else if (each !== 'DescribeStacks' || !isBegun) return;
    const events = [...(more.events ?? []), ...(account.stacks.get('Stack')?.events ?? [])];
    const status = left.length > 1 ? left.shift() : left[0];
    if (each === action) account.stacks.set('Stack', { ...more, status: status ?? '', events });
    else account.stacks.set('Stack', { ...account.stacks.get('Stack'), status: status ?? '' });
  };
}

describe('a deletion', () => {
  test('of what the CDK left at its question is begun, and ends', async () => {
    account.stacks.set('Stack', { status: 'REVIEW_IN_PROGRESS' });
    afterwards('DeleteStack', ['REVIEW_IN_PROGRESS', 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE']);
    expect(await deleteStack(client, 'Stack', 1)).toEqual([]);
    expect(asked('DeleteStack')).toBe(1);
  });

  test('that does not happen is reported, and the wait for it ends', async () => {
    account.stacks.set('Stack', { status: 'REVIEW_IN_PROGRESS' });
    expect(await deleteStack(client, 'Stack', 1)).toEqual([
      { logicalId: 'Stack', type: 'AWS::CloudFormation::Stack', reason: 'REVIEW_IN_PROGRESS: no reason given' },
    ]);
  });

  test('waits for what is being made', async () => {
    account.stacks.set('Stack', { status: 'CREATE_IN_PROGRESS' });
    let looks = 0;
    account.on = (action) => {
      if (action === 'DescribeStacks' && ++looks === 5) account.stacks.set('Stack', { status: 'CREATE_COMPLETE' });
      if (action === 'DeleteStack') account.stacks.set('Stack', { status: 'DELETE_COMPLETE' });
    };
    expect(await deleteStack(client, 'Stack', 1)).toEqual([]);
    expect(looks).toBeGreaterThanOrEqual(5);
    expect(asked('DeleteStack')).toBe(1);
  });

  test('that failed tells its own resources, whatever the clocks; not those of the one before', async () => {
    account.stacks.set('Stack', { status: 'DELETE_FAILED', events: [failed('1', 'Old', 'of the last time')] });
    afterwards('DeleteStack', ['DELETE_IN_PROGRESS', 'DELETE_FAILED'], { events: [failed('2', 'Logs', 'not empty')] });
    expect(await deleteStack(client, 'Stack', 1)).toEqual([
      { logicalId: 'Logs', type: 'AWS::S3::Bucket', reason: 'not empty' },
    ]);
  });

  test('that failed for no resource’s sake tells what CloudFormation says of the stack', async () => {
    account.stacks.set('Stack', { status: 'CREATE_COMPLETE', events: [failed('1', 'Old', 'of the last time')] });
    afterwards('DeleteStack', ['DELETE_IN_PROGRESS', 'DELETE_FAILED'], { reason: 'the role may not be assumed' });
    expect(await deleteStack(client, 'Stack', 1)).toEqual([
      { logicalId: 'Stack', type: 'AWS::CloudFormation::Stack', reason: 'DELETE_FAILED: the role may not be assumed' },
    ]);
  });
});

describe('a creation or update', () => {
  test('that was taken back without a resource’s reason has failed', async () => {
    account.stacks.set('Stack', { status: 'CREATE_COMPLETE' });
    afterwards('UpdateStack', ['UPDATE_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE'], { reason: 'cancelled by somebody' });
    expect(await deployStack(client, 'Stack', {}, 1)).toEqual([
      {
        logicalId: 'Stack',
        type: 'AWS::CloudFormation::Stack',
        reason: 'UPDATE_ROLLBACK_COMPLETE: cancelled by somebody',
      },
    ]);
  });

  test('that another one deleted meanwhile has failed', async () => {
    expect(await deployStack(client, 'Stack', {}, 1)).toEqual([
      { logicalId: 'Stack', type: 'AWS::CloudFormation::Stack', reason: 'is gone: no reason given' },
    ]);
    expect(asked('CreateStack')).toBe(1);
  });

  test('that failed tells its resources, whatever the clocks', async () => {
    const event = { ...failed('1', 'Table', 'the limit is reached'), status: 'CREATE_FAILED' };
    afterwards('CreateStack', ['CREATE_IN_PROGRESS', 'ROLLBACK_COMPLETE'], { events: [event] });
    expect(await deployStack(client, 'Stack', {}, 1)).toEqual([
      { logicalId: 'Table', type: 'AWS::S3::Bucket', reason: 'the limit is reached' },
    ]);
  });

  test('that is complete has not failed', async () => {
    afterwards('CreateStack', ['CREATE_IN_PROGRESS', 'CREATE_COMPLETE']);
    expect(await deployStack(client, 'Stack', {}, 1)).toEqual([]);
  });
});
