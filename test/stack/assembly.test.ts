import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { readable } from './readable.ts';
import type { Templates } from './snapshots/parts.ts';
import { readSnapshots, writeSnapshots } from './snapshots/snapshots.ts';
import { withoutWiring } from './snapshots/wiring.ts';
import { ofType, properties, type Resource, stage, type Template, watched } from './stage.ts';

const all = environments.map((environment) => ({ environment, ...stage(environment) }));

describe.each(all)('$environment', ({ environment, templates, manifest }) => {
  const stacks = Object.values(manifest.artifacts).filter(({ type }) => type === 'aws:cloudformation:stack');

  test('has its stacks, protected in prod', () => {
    const found = stacks.map(({ properties: of }) => [of?.stackName, of?.terminationProtection]);
    const isProd = environment === 'prod';
    expect(found).toEqual([
      ['MobileHealth-Account', false],
      [`MobileHealth-${environment}-State`, isProd],
      [`MobileHealth-${environment}-Sleepcare`, isProd],
      [`MobileHealth-${environment}-Medinfo`, isProd],
      ...(watched.includes(environment) ? [[`MobileHealth-${environment}-Dashboard`, isProd]] : []),
    ]);
  });

  test('is tagged', () => {
    expect(stacks.map(({ properties: of }) => of?.tags)).toEqual([
      { project: 'mobile-health' },
      { project: 'mobile-health', environment },
      { project: 'mobile-health', environment, application: 'sleepcare' },
      { project: 'mobile-health', environment, application: 'medinfo' },
      ...(watched.includes(environment) ? [{ project: 'mobile-health', environment }] : []),
    ]);
  });

  test('no export locks a deployment: another stack’s values are read from Parameter Store, at each deploy', () => {
    const text = JSON.stringify(templates);
    expect(text).not.toContain('Fn::ImportValue');
    expect(text).not.toContain('Fn::GetStackOutput');
    const written = Object.values(ofType('AWS::SSM::Parameter', templates.State)).map(
      ({ Properties }) => Properties.Name,
    );
    const read = Object.entries(templates).flatMap(([name, { Parameters = {} }]) =>
      Object.values(Parameters).flatMap(({ Type, Default }) =>
        Type.startsWith('AWS::SSM::Parameter::Value') && name !== 'State' ? [Default] : [],
      ),
    );
    const bootstrap = '/cdk-bootstrap/hnb659fds/version';
    expect([...new Set(read)].sort()).toEqual([...written, bootstrap].sort());
    for (const { Outputs = {} } of Object.values(templates)) {
      expect(Object.values(Outputs).filter(({ Export }) => Export)).toEqual([]);
    }
  });

  test('names no account, no region, and nothing of this machine', () => {
    const text = JSON.stringify(templates);
    expect(text).not.toMatch(/\b\d{12}\b|[a-z]{2}-[a-z]+-\d\b/);
    expect(text).not.toMatch(/\/tmp\/|\/home\/|\/work\/|\/Users\//);
  });

  test('is plain CloudFormation: no custom resource, no CDK metadata', () => {
    const types = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));
    expect(types.filter((type) => !/^AWS::/.test(type) || /CDK|CustomResource/.test(type))).toEqual([]);
  });

  test('nothing with data in it is deleted with a prod stack', () => {
    const stateful = /DynamoDB::Table|Cognito::UserPool$|KMS::Key|Logs::LogGroup/;
    for (const { Resources } of Object.values(templates)) {
      for (const [id, { Type, DeletionPolicy }] of Object.entries<Resource>(Resources)) {
        // Its name is fixed: a log of nothing yet must not be in the way of the attempt after a failed first deploy.
        const retained = id === 'BlockedRequests' ? 'RetainExceptOnCreate' : 'Retain';
        if (stateful.test(Type)) expect(DeletionPolicy, id).toBe(environment === 'prod' ? retained : 'Delete');
      }
    }
  });

  test('tells its addresses, pools and clients', () => {
    const names = (template: Template | undefined) => Object.keys(template?.Outputs ?? {});
    expect(names(templates.Sleepcare)).toContain('BaseAddress');
    expect(names(templates.Medinfo)).toContain('BaseAddress');
    expect(names(templates.State)).toEqual(
      expect.arrayContaining(['SleepcareUserPoolId', 'SleepcareMobileAppClientId', 'MedinfoIntegrationClientId']),
    );
  });
});

describe('the templates of all environments', () => {
  const readableOf = (environment: Environment) => withoutWiring(readable(stage(environment).templates) as Templates);
  const stages = { prod: readableOf('prod'), dev: readableOf('dev'), staging: readableOf('staging') };
  const snapshots = writeSnapshots(stages);

  test.each(['prod', 'dev', 'staging', 'hashes'] as const)('look as they did: %s', async (name) => {
    await expect(snapshots[name]).toMatchFileSnapshot(`__snapshots__/${name}.txt`);
  });

  test('can be read back from the snapshots: nothing of them is lost', () => {
    expect(isDeepStrictEqual(readSnapshots(snapshots), stages)).toBe(true);
  });
});

test('the account’s stack is the same in every environment', () => {
  const [first, ...others] = all.map(({ templates }) => JSON.stringify(templates.Account));
  for (const other of others) expect(other).toBe(first);
  const account = stage('dev').templates.Account;
  expect(properties(account, 'ApiGatewayAccount')).toEqual({ CloudWatchRoleArn: '<ApiGatewayLogRole.Arn>' });
  for (const { DeletionPolicy } of Object.values(account?.Resources ?? {})) expect(DeletionPolicy).toBe('Retain');
});

test('an API stack waits for the account’s log role and for its data', () => {
  const { artifacts } = stage('dev').manifest as unknown as { artifacts: Record<string, { dependencies?: string[] }> };
  expect(artifacts.Sleepcare?.dependencies).toEqual(expect.arrayContaining(['Account', 'State']));
});
