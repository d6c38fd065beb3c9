import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assertAccount, deployedInTheShellsAccount, staleReaders, whereabouts } from '../../bin/deployed-stage.ts';
import { type AwsAccount, startAwsAccount } from './aws-account.ts';

let account: AwsAccount;
let cloudFormation: CloudFormationClient;
let ssm: SSMClient;

beforeAll(async () => {
  account = await startAwsAccount();
  const means = {
    endpoint: account.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  };
  cloudFormation = new CloudFormationClient(means);
  ssm = new SSMClient(means);
});
afterAll(() => account.close());
beforeEach(() => {
  account.stacks.clear();
  account.parameters.clear();
  account.calls.length = 0;
});

describe('which stacks go on with an old value', () => {
  const shared = (id: number | string) => `/mobile-health/dev/${id}`;
  const stale = () => staleReaders(['Api', 'Dashboard', 'Missing'], cloudFormation, ssm);

  test('of more than Parameter Store tells at once, those that differ, and those that are gone', async () => {
    const names = Array.from({ length: 12 }, (_, i) => shared(i));
    account.stacks.set('Api', { status: 'CREATE_COMPLETE', read: new Map(names.map((name) => [name, 'new'])) });
    account.stacks.set('Dashboard', { status: 'UPDATE_ROLLBACK_COMPLETE', read: new Map([[shared(0), 'old']]) });
    for (const name of names.slice(0, 11)) account.parameters.set(name, 'new');
    expect(await stale()).toEqual([
      { stack: 'Api', name: shared(11), value: 'new' },
      { stack: 'Dashboard', name: shared(0), value: 'old' },
    ]);
    const asked = account.calls.filter((call) => call.startsWith('GetParameters'));
    expect(asked.map((call) => call.split(' ').length - 1)).toEqual([10, 2]);
  });

  test('not of the bootstrap, whose newer version changes nothing of a stage', async () => {
    const read = new Map([['/cdk-bootstrap/hnb659fds/version', '21']]);
    account.stacks.set('Api', { status: 'CREATE_COMPLETE', read });
    account.parameters.set('/cdk-bootstrap/hnb659fds/version', '30');
    expect(await stale()).toEqual([]);
  });

  test('none where nothing is deployed', async () => {
    expect(await stale()).toEqual([]);
  });
});

describe('the template that is deployed', () => {
  const template = (stack: string) => deployedInTheShellsAccount(cloudFormation).template(stack);

  test('is not known of a stack that is being made, or unmade', async () => {
    for (const status of ['CREATE_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS']) {
      account.stacks.set('State', { status, template: '{}' });
      await expect(template('State')).rejects.toThrow(`State is ${status}: wait for its end`);
    }
  });

  test.each(['REVIEW_IN_PROGRESS', 'DELETE_COMPLETE', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'])(
    'is none of a stack in %s',
    async (status) => {
      for (const text of ['{"Resources":{}}', '']) {
        account.stacks.set('Api', { status, template: text });
        expect(await template('Api')).toBeNull();
      }
    },
  );

  test('is that of any other; of a missing stack there is none', async () => {
    account.stacks.set('Api', { status: 'UPDATE_ROLLBACK_COMPLETE', template: '{"Resources":{}}' });
    expect(await template('Api')).toEqual({ Resources: {} });
    expect(await template('Other')).toBeNull();
  });
});

describe('whose account it is', () => {
  test('by what the bootstrap left there', async () => {
    account.parameters.set('/cdk-bootstrap/hnb659fds/version', '21');
    expect(await whereabouts(ssm)).toEqual({ account: '111122223333', region: 'eu-central-1' });
  });

  test('only by the region if there is none', async () => {
    expect(await whereabouts(ssm)).toEqual({ account: 'unknown, as it is not bootstrapped', region: 'eu-central-1' });
  });
});

test('a stage is changed in its own account, and in no other one', () => {
  expect(() => assertAccount('prod', '999999999999', '111122223333')).toThrow('prod belongs to account 111122223333');
  expect(() => assertAccount('prod', 'unknown, as it is not bootstrapped', '111122223333')).toThrow('unknown');
  expect(() => assertAccount('prod', '111122223333', '111122223333')).not.toThrow();
  expect(() => assertAccount('dev', '999999999999', null)).not.toThrow();
});
