import { describe, expect, test } from 'vitest';
import { destroyStage, type StageAccount } from '../../bin/destroy-stage.ts';
import { accountWith } from './stage-account.ts';

const ignore = () => undefined;

describe('a step that throws is listed, and the others are taken', () => {
  const throwing = (message: string) => async () => {
    throw Object.assign(new Error(message), { name: 'AccessDenied' });
  };
  const told = async (account: StageAccount) => (await destroyStage('dev', account, ignore)).map(({ what }) => what);
  const only =
    <T>(match: string, otherwise: (of: string) => Promise<T>, message: string) =>
    (of: string): Promise<T> =>
      of.includes(match) ? throwing(message)() : otherwise(of);

  test('a bucket that may not be emptied', async () => {
    const { account, done } = accountWith('dev');
    const rest = await told({ ...account, emptyBucket: only('checkpoints', account.emptyBucket, 'no right') });
    expect(rest).toContain('the objects of s3://checkpoints: could not be deleted, AccessDenied: no right');
    expect(rest.some((what) => what.startsWith('checkpoints (AWS::S3::Bucket)'))).toBe(true);
    expect(done).toContain('empty logs');
    expect(done).toContain('delete mobile-health-dev-android');
  });

  test('a stack whose deletion cannot be asked for', async () => {
    const { account, there } = accountWith('dev');
    const rest = await told({ ...account, deleteStack: only('-Sleepcare', account.deleteStack, 'no right') });
    const name = 'MobileHealth-dev-Sleepcare';
    expect(rest).toContain(`${name} (AWS::CloudFormation::Stack) of ${name}: AccessDenied: no right`);
    expect(rest).toContain(`Role (AWS::IAM::Role) of ${name}: waits for what could not be deleted`);
    expect([...there]).toEqual([name]);
  });

  test('a stack of which nothing can be asked any more', async () => {
    const { account, there } = accountWith('dev');
    let isOver = false;
    const rest = await told({
      ...account,
      deleteStack: async (id) => {
        isOver ||= id.endsWith('-Sleepcare');
        return id.endsWith('-Sleepcare') ? throwing('expired')() : account.deleteStack(id);
      },
      resources: async (id) => (isOver && id.endsWith('-Sleepcare') ? throwing('expired')() : account.resources(id)),
    });
    const name = 'MobileHealth-dev-Sleepcare';
    expect(rest).toContain(`${name} (AWS::CloudFormation::Stack) of ${name}: AccessDenied: expired`);
    expect([...there]).toEqual([name]);
  });

  test('a stack that may not be looked at', async () => {
    const { account, there } = accountWith('dev');
    const rest = await told({ ...account, resources: only('-Medinfo', account.resources, 'no right') });
    expect(rest).toContain('the stack MobileHealth-dev-Medinfo: could not be deleted, AccessDenied: no right');
    expect([...there]).toEqual(['MobileHealth-dev-Medinfo']);
  });

  test('an application for pushes, and all of them', async () => {
    const { account, done } = accountWith('dev');
    const arns = ['ios', 'android'].map((each) => `arn:app/mobile-health-dev-${each}`);
    const one = await told({
      ...account,
      platformApplications: async () => arns,
      deletePlatformApplication: only('-ios', account.deletePlatformApplication, 'no right'),
    });
    expect(one).toContain(
      'the platform application arn:app/mobile-health-dev-ios: could not be deleted, AccessDenied: no right',
    );
    expect(done).toContain('delete mobile-health-dev-android');
    const all = await told({ ...account, platformApplications: throwing('no right') });
    expect(all).toContain('the platform applications: could not be deleted, AccessDenied: no right');
  });
});
