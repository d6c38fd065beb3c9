import { describe, expect, test } from 'vitest';
import {
  type DeployedStack,
  destroyStage,
  Refused,
  type Rest,
  type StageAccount,
  whereabouts,
} from '../../bin/destroy-stage.ts';
import type { FailedResource } from '../../bin/stack-run.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { accountWith } from './stage-account.ts';

const ignore = () => undefined;

describe('refuses, and deletes nothing', () => {
  const refused = async (environment: Environment, changed: Partial<DeployedStack>) => {
    const { account, done } = accountWith(environment, changed);
    const error = await destroyStage(environment, account, ignore).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect(done).toEqual([]);
    return (error as Refused).message;
  };

  test('prod by its name, whatever the account says', async () => {
    expect(await refused('prod', {})).toBe('prod keeps its data and is never destroyed by this command');
  });

  test.each(['dev', 'staging'] as const)('%s where somebody protected it in the account', async (environment) => {
    expect(await refused(environment, { isProtected: true })).toContain('-State is protected from termination');
  });

  test('what was deployed to keep its data, by its output', async () => {
    expect(await refused('dev', { outputs: { KeepsData: 'true' } })).toContain('a stage that keeps its data');
  });

  test('a stack that is another stage’s by its tags', async () => {
    expect(await refused('dev', { tags: { environment: 'prod' } })).toBe('MobileHealth-dev-State is tagged as prod');
  });
});

describe('ends with nothing left but keys that nobody can use', () => {
  const keyOf = (rest: readonly Rest[]) => rest.map(({ isHarmless, until }) => [isHarmless, until?.toISOString()]);

  test('what writes goes before the buckets are emptied, the State stack last, other stages’ phones stay', async () => {
    const { account, there, done } = accountWith('dev');
    const rest = await destroyStage('dev', account, ignore);
    expect(done).toEqual([
      'delete MobileHealth-dev-Dashboard',
      'delete MobileHealth-dev-Sleepcare',
      'delete MobileHealth-dev-Medinfo',
      'empty checkpoints',
      'empty logs',
      'delete MobileHealth-dev-State',
      'delete mobile-health-dev-android',
    ]);
    expect([...there]).toEqual([]);
    expect(keyOf(rest)).toEqual([[true, '2026-12-01T00:00:00.000Z']]);
    // The keys wait for a week: a second run names them, too.
    expect(keyOf(await destroyStage('dev', account, ignore))).toEqual(keyOf(rest));
    const deletedStacks = async () => ['arn:aws:cloudformation:eu-west-1:111122223333:stack/a/1'];
    const where = { account: '111122223333', region: 'eu-west-1', stacks: [] };
    expect(await whereabouts('dev', { ...account, deletedStacks })).toEqual(where);
  });

  test('a bucket that gets a late log meanwhile is emptied again', async () => {
    const { account, there, objects } = accountWith('dev');
    let late = 2;
    const emptyBucket: StageAccount['emptyBucket'] = async (name) => {
      const emptied = await account.emptyBucket(name);
      if (name === 'logs' && late-- > 0) objects.set('logs', 1);
      return emptied;
    };
    await destroyStage('dev', { ...account, emptyBucket }, ignore);
    expect([...there]).toEqual([]);
  });

  test('after it was killed half-way, at any step, a second run goes on', async () => {
    for (let steps = 0; steps < 8; steps++) {
      const { account, there } = accountWith('dev');
      let left = steps;
      const dying = Object.fromEntries(
        Object.entries(account).map(([name, act]) => [
          name,
          async (argument: never) => {
            if (/^(delete|empty)/.test(name) && left-- <= 0) throw new Error('killed');
            return (act as (of: never) => unknown)(argument);
          },
        ]),
      ) as unknown as StageAccount;
      await destroyStage('dev', dying, ignore).catch(ignore);
      await destroyStage('dev', account, ignore);
      expect([...there], `${steps}`).toEqual([]);
    }
  });
});

describe('lists what stays, and until when', () => {
  test('an object under a lock that nobody may lift', async () => {
    const until = new Date('2036-01-01T00:00:00Z');
    const { account } = accountWith('dev', {}, {});
    const rest = await destroyStage(
      'dev',
      {
        ...account,
        emptyBucket: async (name) => ({ deleted: 0, kept: name === 'checkpoints' ? [{ key: 'c/1.json', until }] : [] }),
      },
      ignore,
    );
    expect(rest).toContainEqual({ what: 's3://checkpoints/c/1.json', until, isHarmless: false });
    expect(rest.some(({ what }) => what.includes('checkpoints (AWS::S3::Bucket)'))).toBe(true);
  });

  test('a resource that CloudFormation could not delete, with its reason, and no endless attempts', async () => {
    const undeleted: FailedResource = {
      logicalId: 'BackupVault',
      type: 'AWS::Backup::BackupVault',
      reason: 'Backup vault cannot be deleted because it contains recovery points',
    };
    let asked = 0;
    const { account } = accountWith('staging');
    const rest = await destroyStage(
      'staging',
      { ...account, deleteStack: async (id) => (id.endsWith('-State') && ++asked ? [undeleted] : []) },
      ignore,
    );
    expect(asked).toBe(1);
    expect(rest.map(({ what }) => what)).toContainEqual(expect.stringMatching(/^BackupVault \(.*recovery points$/));
    // All the others of that stack, too.
    expect(rest.map(({ what }) => what)).toContain(
      'Key (AWS::KMS::Key) of MobileHealth-staging-State: waits for what could not be deleted',
    );
  });

  const resource = (logicalId: string, type: string, isThere = true) => ({
    logicalId,
    type,
    id: `the ${logicalId}`,
    isThere,
  });

  test('every backup with its date, one that has none, and a vault that may not be looked at', async () => {
    const until = new Date('2026-12-07T01:00:00Z');
    const vaults = ['BackupVault', 'Closed'].map((id) => resource(id, 'AWS::Backup::BackupVault'));
    const { account } = accountWith('staging');
    const rest = await destroyStage(
      'staging',
      {
        ...account,
        resources: async (id) => (id.endsWith('-State') ? vaults : []),
        async recoveryPoints(vault) {
          if (vault === 'the Closed') throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
          return [
            { arn: 'arn:one', until },
            { arn: 'arn:two', until: null },
          ];
        },
      },
      ignore,
    );
    expect(rest).toContainEqual({ what: 'the backup arn:one in the vault the BackupVault', until, isHarmless: false });
    expect(rest).toContainEqual({
      what: 'the backup arn:two in the vault the BackupVault',
      until: null,
      isHarmless: false,
    });
    expect(rest.map(({ what }) => what)).toContain(
      'the vault the Closed: could not be checked, AccessDeniedException: no',
    );
  });

  test('what CloudFormation did not come to, in nested stacks as well; not what is gone', async () => {
    const nested = { ...resource('Consents', 'AWS::CloudFormation::Stack'), id: 'nested' };
    const { account } = accountWith('dev');
    const rest = await destroyStage(
      'dev',
      {
        ...account,
        deleteStack: async (id) =>
          id.endsWith('-Medinfo') ? [{ logicalId: 'Consents', type: nested.type, reason: 'a role is used' }] : [],
        async resources(id) {
          if (id.endsWith('-Medinfo'))
            return [nested, resource('Api', 'AWS::ApiGateway::RestApi'), resource('Stage', 'x', false)];
          return id === 'nested' ? [resource('Role', 'AWS::IAM::Role')] : [];
        },
      },
      ignore,
    );
    expect(rest.map(({ what }) => what)).toEqual([
      'Consents (AWS::CloudFormation::Stack) of MobileHealth-dev-Medinfo: a role is used',
      'Api (AWS::ApiGateway::RestApi) of MobileHealth-dev-Medinfo: waits for what could not be deleted',
      'Role (AWS::IAM::Role) of MobileHealth-dev-Medinfo/Consents: waits for what could not be deleted',
    ]);
  });

  test('what a stack that is gone has kept, log groups and parameters of the stage’s name', async () => {
    const { account } = accountWith('dev');
    const rest = await destroyStage(
      'dev',
      {
        ...account,
        resources: async (id) => (id.endsWith('-State') ? [resource('Table', 'AWS::DynamoDB::Table')] : []),
        deleteStack: async () => [],
        logGroups: async (prefix) => (prefix.startsWith('aws-waf') ? [`${prefix}-late`] : []),
        parameters: async (path) => [`${path}Key`],
      },
      ignore,
    );
    expect(rest.map(({ what }) => what)).toEqual([
      'Table (AWS::DynamoDB::Table) of MobileHealth-dev-State: is kept by its deletion policy',
      'the log group aws-waf-logs-mobile-health-dev-late',
      'the parameter /mobile-health/dev/Key',
    ]);
  });
});
