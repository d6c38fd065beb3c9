import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownedTables } from '../../functions/domains.ts';
import { environments } from '../../functions/product.ts';
import { stage } from '../stack/stage.ts';

const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));
const named = rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? '');

/** By type: what the page calls a resource of that logical id. */
const stores: Readonly<Record<string, (logicalId: string) => string>> = {
  'AWS::DynamoDB::Table': (id) => id.replace(/Table$/, ''),
  'AWS::S3::Bucket': (id) => id,
  'AWS::SQS::Queue': (id) => id,
  'AWS::SNS::Topic': (id) => id,
  'AWS::Events::EventBus': (id) => id,
  'AWS::Cognito::UserPool': (id) => id,
  'AWS::SecretsManager::Secret': (id) => id,
  'AWS::KMS::Key': (id) => id,
  'AWS::Backup::BackupVault': (id) => id,
  'AWS::SSM::Parameter': (id) => id.replace(/^\w+Shared$/, '…Shared'),
  'AWS::Logs::LogGroup': (id) => (id.endsWith('Logs') && id !== 'AccessLogs' ? '…Logs' : id),
};
/** What holds data too, and would need a line above as soon as somebody uses it. */
const otherStores =
  /^AWS::(RDS|EFS|ElastiCache|Kinesis|KinesisFirehose|OpenSearchService|Neptune|DocDB|Redshift|Timestream|SNS::PlatformApplication|DynamoDB::GlobalTable|CloudTrail|Athena|Glue)/;

const resources = environments.flatMap((environment) =>
  Object.values(stage(environment).templates).flatMap(({ Resources }) => Object.entries(Resources)),
);

test('the page of data has a row for everything that stores some, and for nothing else', () => {
  const stored = new Set(resources.flatMap(([id, { Type }]) => stores[Type]?.(id) ?? []));
  expect(named.toSorted()).toEqual([...stored].sort());
});

test('each row says how sensitive it is, what, why, how long and who', () => {
  for (const row of rows) {
    const cells = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    expect(cells, row).toHaveLength(6);
    expect(['public', 'internal', 'personal', 'health', 'secret'], row).toContain(cells[1]);
    for (const cell of cells) expect(cell, row).not.toBe('');
  }
});

test('what is about people is not public, and what is personal or about health says whom it is about', () => {
  for (const { table, data } of ownedTables) {
    if (data.people.length > 0) expect(data.level, table.name).not.toBe('public');
    if (data.level === 'personal' || data.level === 'health') expect(data.people, table.name).not.toEqual([]);
  }
});

test('Parameter Store holds names of what the stage is made of, and no value', () => {
  const stored = resources.filter(([, { Type }]) => Type === 'AWS::SSM::Parameter');
  expect(stored.length).toBeGreaterThan(30);
  for (const [id, { Properties }] of stored) {
    expect(Object.keys(Properties.Value as object), id).toEqual([expect.stringMatching(/^(Ref|Fn::GetAtt)$/)]);
  }
});

test('there is no other kind of store', () => {
  expect(resources.map(([, { Type }]) => Type).filter((type) => otherStores.test(type))).toEqual([]);
});
