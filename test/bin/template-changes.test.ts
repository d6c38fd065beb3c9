import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Deployed, followersOf, losses, stageChanges, summaryOf } from '../../bin/stage-changes.ts';
import { changesOf } from '../../bin/template-changes.ts';
import type { Template, TemplateResource } from '../../lib/local/template/assembly.ts';

function template(Resources: Record<string, TemplateResource>): Template {
  return { Resources };
}

const table = (more: object = {}): TemplateResource => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: { BillingMode: 'PAY_PER_REQUEST', KeySchema: [{ AttributeName: 'userId', KeyType: 'HASH' }], ...more },
});
const key = (more: object = {}): TemplateResource => ({
  Type: 'AWS::KMS::Key',
  Properties: { KeySpec: 'ECC_NIST_P256', ...more },
});
const bucket = (more: object = {}): TemplateResource => ({
  Type: 'AWS::S3::Bucket',
  Properties: { ObjectLockEnabled: true, ...more },
});
const pool = (more: object = {}): TemplateResource => ({
  Type: 'AWS::Cognito::UserPool',
  Properties: { UserPoolName: 'p', UsernameAttributes: ['email'], ...more },
});
const fn = (more: object = {}): TemplateResource => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Handler: 'h', ...more },
});

describe('what a change does to a resource that holds something', () => {
  test.each<[string, TemplateResource, TemplateResource | null, string | null]>([
    ['a table’s key', table(), table({ KeySchema: [{ AttributeName: 'email', KeyType: 'HASH' }] }), 'replace'],
    ['a table’s name', table(), table({ TableName: 'chosen' }), 'replace'],
    ['an index of a table', table(), table({ GlobalSecondaryIndexes: [{ IndexName: 'i' }] }), 'update'],
    ['a table that is gone', table(), null, 'remove'],
    ['a table’s protection', table(), table({ DeletionProtectionEnabled: true }), 'update'],
    ['a table’s stream', table(), table({ StreamSpecification: { StreamViewType: 'NEW_IMAGE' } }), 'update'],
    ['a table that stays', table(), table(), null],
    ['a bucket’s name', bucket(), bucket({ BucketName: 'chosen' }), 'replace'],
    ['a bucket’s lock', bucket(), bucket({ ObjectLockEnabled: false }), 'replace'],
    ['a key’s kind', key(), key({ KeySpec: 'RSA_2048' }), 'replace'],
    ['a key’s description', key(), key({ Description: 'another' }), 'update'],
    ['how users are named', pool(), pool({ UsernameAttributes: ['phone_number'] }), 'replace'],
    ['a new attribute of a pool', pool(), pool({ Schema: [{ Name: 'n' }] }), 'update'],
    ['a pool’s second factor', pool(), pool({ MfaConfiguration: 'ON' }), 'update'],
    ['a property that nobody knows', table(), table({ Invented: 1 }), 'may-replace'],
    ['another type under the same id', table(), bucket(), 'replace'],
    [
      'an event bus’ name',
      { Type: 'AWS::Events::EventBus', Properties: { Name: 'a' } },
      { Type: 'AWS::Events::EventBus', Properties: { Name: 'b' } },
      'replace',
    ],
    [
      'a vault’s name',
      { Type: 'AWS::Backup::BackupVault', Properties: { BackupVaultName: 'a' } },
      { Type: 'AWS::Backup::BackupVault', Properties: { BackupVaultName: 'b' } },
      'replace',
    ],
  ])('%s', (_, before, after, action) => {
    const changes = changesOf(template({ Thing: before }), template(after ? { Thing: after } : {}));
    expect(changes.map((change) => change.action)).toEqual(action === null ? [] : [action]);
    const isLoss = action !== null && ['replace', 'may-replace', 'remove'].includes(action);
    expect(changes.some(({ loses }) => loses !== null)).toBe(isLoss);
  });

  test('another logical id is a removal, though the table is the same', () => {
    const changes = changesOf(template({ Old: table() }), template({ New: table() }));
    expect(changes).toMatchObject([
      { logicalId: 'New', action: 'add', loses: null },
      { logicalId: 'Old', action: 'remove', loses: 'its rows' },
    ]);
  });

  test('what has no state may come and go', () => {
    const changes = changesOf(template({ A: fn(), B: fn() }), template({ B: fn({ FunctionName: 'b' }), C: fn() }));
    expect(changes.map(({ logicalId, action, loses }) => [logicalId, action, loses])).toEqual([
      ['A', 'remove', null],
      ['B', 'replace', null],
      ['C', 'add', null],
    ]);
  });

  test('what refers to a replaced resource is replaced with it, also further down', () => {
    const all = (TableName: string) =>
      template({
        Rows: table({ TableName }),
        Source: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { FunctionName: 'f', EventSourceArn: { 'Fn::GetAtt': ['Rows', 'StreamArn'] } },
        },
        Rights: { Type: 'AWS::Lambda::Permission', Properties: { FunctionName: 'f', SourceArn: { Ref: 'Source' } } },
        Beside: { Type: 'AWS::Lambda::Permission', Properties: { FunctionName: 'f', SourceArn: 'other' } },
      });
    const changes = changesOf(all('one'), all('other'));
    expect(changes.map(({ logicalId, action }) => [logicalId, action])).toEqual([
      ['Rights', 'replace'],
      ['Rows', 'replace'],
      ['Source', 'replace'],
    ]);
  });

  test.each<[string, TemplateResource, TemplateResource, string[]]>([
    ['a table’s own', table({ DeletionProtectionEnabled: true }), table(), ['DeletionProtectionEnabled']],
    [
      'a pool’s own',
      pool({ DeletionProtection: 'ACTIVE' }),
      pool({ DeletionProtection: 'INACTIVE' }),
      ['DeletionProtection'],
    ],
    [
      'its retention',
      { ...table(), DeletionPolicy: 'Retain' },
      { ...table(), DeletionPolicy: 'Delete' },
      ['DeletionPolicy'],
    ],
    [
      'all, by saying nothing',
      { ...key(), DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' },
      key(),
      ['DeletionPolicy', 'UpdateReplacePolicy'],
    ],
  ])('protection that goes is a loss, coming it is none: %s', (_, held, open, properties) => {
    const [lost] = changesOf(template({ T: held }), template({ T: open }));
    expect(lost).toMatchObject({ action: 'update', properties, loses: 'what keeps it from being deleted' });
    const [won] = changesOf(template({ T: open }), template({ T: held }));
    expect(won).toMatchObject({ action: 'update', loses: null });
  });

  test('another way of retaining is an update, and of what has no state nothing is lost', () => {
    const before = { T: { ...table(), DeletionPolicy: 'Retain' }, F: { ...fn(), DeletionPolicy: 'Retain' } };
    const after = { T: { ...table(), DeletionPolicy: 'RetainExceptOnCreate' }, F: fn() };
    const changes = changesOf(template(before), template(after));
    expect(changes).toMatchObject([
      { logicalId: 'F', action: 'update', properties: ['(attributes)'], loses: null },
      { logicalId: 'T', action: 'update', properties: ['(attributes)'], loses: null },
    ]);
  });
});

describe('a stage', () => {
  const url = { 'Fn::Join': ['', ['https://s3.', { Ref: 'AWS::Region' }, '.amazonaws.com/assets/abc.json']] };
  const nested = { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL: url } };
  const file = join(mkdtempSync(join(tmpdir(), 'mobile-health-diff-')), 'abc.json');
  writeFileSync(file, JSON.stringify(template({ F: fn({ MemorySize: 512 }) })));
  const stack = (name: string, of: Template) => {
    return { name, account: null, region: null, template: of, assets: new Map([['abc.json', file]]) };
  };
  const stacks = [stack('State', template({ T: table() })), stack('Api', template({ Inner: nested }))];
  const deployed = (templates: Record<string, Template>): Deployed => ({
    template: async (name) => templates[name] ?? null,
    nested: async (name, logicalId) => (templates[`id of ${name}/${logicalId}`] ? `id of ${name}/${logicalId}` : null),
  });

  test('that is not deployed is all new, and loses nothing', async () => {
    const found = await stageChanges(stacks, deployed({}));
    expect(summaryOf(found)).toEqual(['State: new, 1 added', 'Api: new, no change', 'Api/Inner: new, 1 added']);
    expect(losses(found)).toEqual([]);
  });

  test('tells what an update leaves without protection', async () => {
    const before = {
      State: template({ T: table({ DeletionProtectionEnabled: true }) }),
      Api: template({ Inner: nested }),
    };
    const found = await stageChanges(stacks, deployed(before));
    expect(summaryOf(found)).toContain(
      '  ! updated in place for DeletionProtectionEnabled: T (AWS::DynamoDB::Table), which loses what keeps it from being deleted',
    );
    expect(losses(found).map(({ change }) => change.logicalId)).toEqual(['T']);
  });

  test('tells what changes in a nested stack, and what would be lost', async () => {
    const before = {
      State: template({ T: table({ KeySchema: [] }), Gone: bucket() }),
      Api: template({ Inner: { ...nested, Properties: { TemplateURL: 'another' } } }),
      'id of Api/Inner': template({ F: fn({ MemorySize: 256 }) }),
    };
    const found = await stageChanges(stacks, deployed(before));
    expect(summaryOf(found)).toEqual([
      'State: 1 removed, 1 replaced',
      '  ! removed: Gone (AWS::S3::Bucket), with its objects',
      '  ! replaced for KeySchema: T (AWS::DynamoDB::Table), with its rows',
      'Api: no change',
      'Api/Inner: 1 updated in place',
    ]);
    expect(losses(found).map(({ change }) => change.logicalId)).toEqual(['Gone', 'T']);
  });

  test('tells what goes with a nested stack that is removed, or becomes something else', async () => {
    const before = {
      State: template({ T: table(), Old: nested }),
      Api: template({ Inner: nested, Other: nested }),
      'id of State/Old': template({ Rows: table(), F: fn() }),
      'id of Api/Inner': template({ F: fn() }),
      'id of Api/Other': template({ Address: { Type: 'AWS::ApiGateway::RestApi' } }),
    };
    const [state, api] = stacks;
    const Resources = { ...api?.template.Resources, Other: fn() };
    const next = [...(state ? [state] : []), ...(api ? [{ ...api, template: { Resources } }] : [])];
    const found = await stageChanges(next, deployed(before));
    expect(losses(found).map(({ stack, change }) => `${stack} ${change.logicalId}`)).toEqual([
      'State/Old Rows',
      'Api/Other Address',
    ]);
    expect(summaryOf(found)).toContain('State/Old: 2 removed');
  });

  test('names what is replaced and read by other stacks, and neither what nobody reads nor what is only updated', async () => {
    const shared = (id: string): TemplateResource => ({
      Type: 'AWS::SSM::Parameter',
      Properties: { Value: { Ref: id } },
    });
    const made = (of: object) => ({
      T: table(of),
      Alone: table(of),
      F: fn(),
      TShared: shared('T'),
      FShared: shared('F'),
    });
    const next = [stack('State', template(made({})))];
    const before = { State: template({ ...made({ KeySchema: [] }), F: fn({ MemorySize: 256 }) }) };
    expect(followersOf(await stageChanges(next, deployed(before)))).toEqual(['T']);
    expect(followersOf(await stageChanges(next, deployed({ State: template(made({})) })))).toEqual([]);
  });
});
