import { CfnUserPool } from 'aws-cdk-lib/aws-cognito';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { App, Aspects, NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { expect, test } from 'vitest';
import { logBucketId } from '../../lib/stack/access-log-bucket.ts';
import { unprotected } from '../../lib/stack/first-deployment.ts';
import { keepLogs } from '../../lib/stack/removal.ts';

test('a stack that is not there yet protects nothing, and leaves nothing behind but a bucket that S3 writes into', () => {
  const stack = new Stack(new App(), 'New', { terminationProtection: true });
  const keySchema = [{ attributeName: 'id', keyType: 'HASH' }];
  const made = [
    new CfnTable(stack, 'Table', { keySchema, deletionProtectionEnabled: true }),
    new CfnUserPool(stack, 'Pool', { deletionProtection: 'ACTIVE' }),
    new CfnBucket(stack, 'Files'),
    new CfnBucket(stack, logBucketId),
  ];
  for (const each of made) each.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const logs = new CfnLogGroup(new NestedStack(stack, 'Domain'), 'Logs');
  keepLogs(logs, true);
  Aspects.of(stack).add(unprotected);
  const policies = () => [...made, logs].map(({ cfnOptions }) => cfnOptions.deletionPolicy);
  expect(policies()).toEqual(Array(5).fill('Retain'));
  const { stacks } = (stack.node.root as App).synth();
  // The CDK deletes the stack of an attempt that was rolled back, before it makes the next one.
  expect(stacks.map(({ terminationProtection }) => terminationProtection)).toEqual([false]);
  const except = 'RetainExceptOnCreate';
  expect(policies()).toEqual([except, except, except, 'Retain', except]);
  const [table, pool] = made as [CfnTable, CfnUserPool];
  expect([table.deletionProtectionEnabled, pool.deletionProtection, logs.deletionProtectionEnabled]).toEqual([
    false,
    'INACTIVE',
    false,
  ]);
});
