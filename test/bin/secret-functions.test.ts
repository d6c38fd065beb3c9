import {
  CloudFormationClient,
  DescribeStacksCommand,
  type ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, type UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { functionsWith, resourceId } from '../../bin/secret-functions.ts';

type Configuration = {
  Environment?: { Variables?: Record<string, string>; Error?: { ErrorCode: string } };
  LastUpdateStatus?: string;
  LastUpdateStatusReason?: string;
  RevisionId?: string;
};

/** CloudFormation and Lambda, as they answer these calls. */
function account(functions: Record<string, Configuration>) {
  const stacks: Record<string, { id: string; name: string; type: string }[]> = {
    State: [{ id: 'arn:secret', name: 'OneKey', type: 'AWS::SecretsManager::Secret' }],
    Sleepcare: [
      { id: 'arn:nested', name: 'Auth', type: 'AWS::CloudFormation::Stack' },
      { id: 'gateway', name: 'Api', type: 'AWS::ApiGateway::RestApi' },
    ],
    'arn:nested': Object.keys(functions).map((id) => ({ id, name: id, type: 'AWS::Lambda::Function' })),
  };
  const status = new Map<string, string>();
  const updates: Record<string, unknown>[] = [];
  const cloudFormation = {
    send: async (command: DescribeStacksCommand | ListStackResourcesCommand) => {
      const { StackName = '' } = command.input;
      if (command instanceof DescribeStacksCommand)
        return { Stacks: [{ StackStatus: status.get(StackName) ?? 'UPDATE_COMPLETE' }] };
      const found = stacks[StackName] ?? [];
      return {
        StackResourceSummaries: found.map(({ id, name, type }) => ({
          PhysicalResourceId: id,
          LogicalResourceId: name,
          ResourceType: type,
        })),
      };
    },
  } as unknown as CloudFormationClient;
  const lambda = {
    send: async (command: GetFunctionConfigurationCommand | UpdateFunctionConfigurationCommand) => {
      if (command instanceof GetFunctionConfigurationCommand) return functions[command.input.FunctionName ?? ''];
      updates.push({ ...command.input });
      return {};
    },
  } as never;
  // The SDK's paginator takes nothing else for a client.
  Object.setPrototypeOf(cloudFormation, CloudFormationClient.prototype);
  return {
    status,
    updates,
    cloudFormation,
    lambda,
    of: functionsWith('ONE_KEY_SECRET', ['Sleepcare', 'State'], { cloudFormation, lambda }),
  };
}

const own = { Environment: { Variables: { ONE_KEY_SECRET: 'before', TABLE: 't' } }, RevisionId: 'r1' };

test('finds the functions with the variable, also those of stacks inside a stack, and the secret', async () => {
  const { of, cloudFormation } = account({ 'sign-in': own, other: { Environment: { Variables: {} } }, none: {} });
  expect(await of.names()).toEqual(['sign-in']);
  expect(await resourceId(cloudFormation, 'State', 'OneKey')).toBe('arn:secret');
  await expect(resourceId(cloudFormation, 'State', 'Other')).rejects.toThrow('the stack State has no Other');
});

test('changes the one variable and keeps the others, if nobody changed the function meanwhile', async () => {
  const { of, updates } = account({ 'sign-in': own });
  expect(await of.read('sign-in')).toEqual({ text: 'before', isUpdating: false });
  await of.write('sign-in', 'after');
  expect(updates).toEqual([
    { FunctionName: 'sign-in', Environment: { Variables: { ONE_KEY_SECRET: 'after', TABLE: 't' } }, RevisionId: 'r1' },
  ]);
});

test('says that an update is under way; one that failed leaves what was there, and is no end', async () => {
  const failed = { ...own, LastUpdateStatus: 'Failed', LastUpdateStatusReason: 'no key' };
  const { of, updates } = account({ updating: { ...own, LastUpdateStatus: 'InProgress' }, failed });
  expect(await of.read('updating')).toMatchObject({ isUpdating: true });
  expect(await of.read('failed')).toEqual({ text: 'before', isUpdating: false });
  await of.write('failed', 'after');
  expect(updates).toMatchObject([{ FunctionName: 'failed' }]);
});

test('variables that may not be read are no absent ones', async () => {
  const { of } = account({
    'sign-in': own,
    closed: { Environment: { Error: { ErrorCode: 'AccessDeniedException' } } },
  });
  await expect(of.names()).rejects.toThrow('closed: its variables cannot be read: AccessDeniedException');
});

test('a stage without a function that has the variable is no stage', async () => {
  await expect(account({ none: {} }).of.names()).rejects.toThrow('no function has the variable ONE_KEY_SECRET');
});

test('says which stacks are deployed at the moment', async () => {
  const { of, status } = account({ 'sign-in': own });
  expect(await of.deploying()).toEqual([]);
  status.set('Sleepcare', 'UPDATE_IN_PROGRESS');
  expect(await of.deploying()).toEqual(['Sleepcare']);
});
