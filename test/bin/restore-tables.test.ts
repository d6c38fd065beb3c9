import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Stack } from 'aws-cdk-lib/core';
import { describe, expect, test } from 'vitest';
import { equipRestored } from '../../bin/equip-restored.ts';
import * as productModule from '../../bin/product.ts';
import { deleteRestored, restoreTables } from '../../bin/restore-tables.ts';
import { ConsentRecords } from '../../functions/consents/tables.ts';
import { settings } from '../../functions/settings.ts';
import { addExpiryRole } from '../../lib/stack/ledger.ts';
import { ProductApp } from '../../lib/stack/product-app.ts';
import { addTables } from '../../lib/stack/tables.ts';

/** DynamoDB's answers about tables: a restored one is empty-handed, and busy for a while. */

type Kept = {
  keys: object[];
  policy?: string;
  stream?: string;
  expiresBy?: string;
  recoverable: boolean;
  looks: number;
  to?: Date;
  keyArn: string;
  tags?: { Key: string; Value: string }[];
  isProtected?: boolean;
};

const earliest = new Date('2026-10-20T00:00:00Z');
const latest = new Date('2026-11-21T11:55:00.700Z');
const arn = (name: string) => `arn:aws:dynamodb:eu-central-1:000000000000:table/${name}`;
const failure = (name: string) => Object.assign(new Error(name), { name });

function fakeDynamo() {
  const tables = new Map<string, Kept>();
  for (const name of ['Records', 'States']) {
    tables.set(name, {
      keys: [{ AttributeName: 'userId', KeyType: 'HASH' }],
      recoverable: true,
      looks: 9,
      keyArn: 'arn:key',
      tags: [
        { Key: 'application', Value: 'mobile-health' },
        { Key: 'aws:cloudformation:stack-name', Value: 'State' },
      ],
      isProtected: true,
      ...(name === 'Records' && {
        policy: `{"Resource":"${arn(name)}"}`,
        stream: 'NEW_AND_OLD_IMAGES',
        expiresBy: 'expiresAt',
      }),
    });
  }
  const calls: string[] = [];
  const faults = new Map<string, string[]>();
  // biome-ignore lint/suspicious/noExplicitAny: the inputs of a dozen commands.
  const answers: Record<string, (input: any, table: Kept) => object> = {
    DescribeTable: ({ TableName }, table) => {
      table.looks += 1;
      return {
        Table: {
          TableArn: arn(TableName),
          TableStatus: table.looks > 2 ? 'ACTIVE' : 'CREATING',
          RestoreSummary: { RestoreInProgress: table.looks <= 3 },
          KeySchema: table.keys,
          DeletionProtectionEnabled: table.isProtected === true,
          SSEDescription: { KMSMasterKeyArn: table.keyArn },
          StreamSpecification: { StreamEnabled: table.stream !== undefined, StreamViewType: table.stream },
        },
      };
    },
    DescribeTimeToLive: (_, { expiresBy }) => ({
      TimeToLiveDescription: { TimeToLiveStatus: expiresBy ? 'ENABLING' : 'DISABLED', AttributeName: expiresBy },
    }),
    DescribeContinuousBackups: (_, { recoverable }) => ({
      ContinuousBackupsDescription: {
        PointInTimeRecoveryDescription: recoverable
          ? {
              PointInTimeRecoveryStatus: 'ENABLED',
              EarliestRestorableDateTime: earliest,
              LatestRestorableDateTime: latest,
            }
          : { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }),
    GetResourcePolicy: (_, { policy }) => {
      if (!policy) throw failure('PolicyNotFoundException');
      return { Policy: policy };
    },
    RestoreTableToPointInTime: ({ SourceTableName, TargetTableName, RestoreDateTime, SSESpecificationOverride }) => {
      const keys = tables.get(SourceTableName)?.keys ?? [];
      const keyArn = SSESpecificationOverride.KMSMasterKeyId;
      tables.set(TargetTableName, { keys, recoverable: false, looks: 0, to: RestoreDateTime, keyArn });
      return {};
    },
    PutResourcePolicy: ({ Policy }, table) => Object.assign(table, { policy: Policy }),
    UpdateContinuousBackups: (_, table) => Object.assign(table, { recoverable: true }),
    UpdateTimeToLive: ({ TimeToLiveSpecification }, table) =>
      Object.assign(table, { expiresBy: TimeToLiveSpecification.AttributeName }),
    UpdateTable: ({ StreamSpecification, DeletionProtectionEnabled }, table) =>
      Object.assign(
        table,
        StreamSpecification && { stream: StreamSpecification.StreamViewType },
        DeletionProtectionEnabled && { isProtected: true },
      ),
    // A page a tag.
    ListTagsOfResource: ({ NextToken = '0' }, { tags = [] }) => ({
      Tags: tags.slice(+NextToken, +NextToken + 1),
      ...(tags[+NextToken + 1] && { NextToken: `${+NextToken + 1}` }),
    }),
    TagResource: ({ Tags }, table) => Object.assign(table, { tags: Tags }),
    Scan: ({ ExclusiveStartKey }) =>
      ExclusiveStartKey ? { Count: 2 } : { Count: 5, LastEvaluatedKey: { userId: {} } },
    DeleteTable: ({ TableName }) => ({ deleted: tables.delete(TableName) }),
  };
  const dynamo = {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    async send(command: any) {
      const operation = command.constructor.name.replace(/Command$/, '');
      const { TableName, SourceTableName, ResourceArn } = command.input;
      const name = TableName ?? SourceTableName ?? ResourceArn.split('/').at(-1);
      calls.push(`${operation} ${name}`);
      const fault = faults.get(operation)?.pop();
      if (fault) throw failure(fault);
      const table = tables.get(name);
      if (!table) throw failure('ResourceNotFoundException');
      return answers[operation]?.(command.input, table);
    },
  } as unknown as DynamoDBClient;
  return { dynamo, tables, calls, faults };
}

const wanted = {
  tables: ['Records', 'States'],
  suffix: 'drill',
  isDry: false,
  keeps: false,
  print: () => undefined,
  pollMs: 1,
};
const writes = /^(?!Describe|Get|List|Scan)/;

describe('a restoration', () => {
  test('makes the tables of one second, with all that a restored table lacks', async () => {
    const { dynamo, tables } = fakeDynamo();
    const { restored, failures, names } = await restoreTables({ ...wanted, dynamo });
    expect([failures, names]).toEqual([[], ['Records-drill', 'States-drill']]);
    expect(restored).toEqual([
      { source: 'Records', name: 'Records-drill', items: 7, differences: [] },
      { source: 'States', name: 'States-drill', items: 7, differences: [] },
    ]);
    expect(tables.get('Records-drill')).toMatchObject({
      policy: `{"Resource":"${arn('Records-drill')}"}`,
      stream: 'NEW_AND_OLD_IMAGES',
      expiresBy: 'expiresAt',
      recoverable: true,
      keyArn: 'arn:key',
      tags: [{ Key: 'application', Value: 'mobile-health' }],
    });
    const times = ['Records-drill', 'States-drill'].map((name) => tables.get(name)?.to?.toISOString());
    expect(times).toEqual(['2026-11-21T11:55:00.000Z', '2026-11-21T11:55:00.000Z']);
  });

  test('never writes a table in use', async () => {
    const { dynamo, calls } = fakeDynamo();
    const { names } = await restoreTables({ ...wanted, dynamo });
    expect(await deleteRestored({ dynamo, pollMs: 1 }, names)).toEqual([]);
    const written = calls.filter((call) => writes.test(call) && !call.endsWith('-drill'));
    expect(written).toEqual(['RestoreTableToPointInTime Records', 'RestoreTableToPointInTime States']);
  });

  test('gives a ledger its policy before anything else', async () => {
    const { dynamo, calls } = fakeDynamo();
    await restoreTables({ ...wanted, tables: ['Records'], dynamo });
    const [, first] = calls.filter((call) => writes.test(call));
    expect(first).toBe('PutResourcePolicy Records-drill');
  });

  test('waits for a table that is busy', async () => {
    const { dynamo, faults } = fakeDynamo();
    faults.set('UpdateContinuousBackups', ['ContinuousBackupsUnavailableException']);
    faults.set('UpdateTimeToLive', ['ResourceInUseException']);
    const {
      restored: [records],
    } = await restoreTables({ ...wanted, tables: ['Records'], dynamo });
    expect(records?.differences).toEqual([]);
  });

  test('says what the new table has not', async () => {
    const { dynamo, tables } = fakeDynamo();
    const send = dynamo.send.bind(dynamo) as (command: unknown) => Promise<unknown>;
    Object.assign(dynamo, {
      send: async (command: { constructor: { name: string }; input: { TableName: string } }) => {
        const answer = await send(command);
        if (command.constructor.name === 'UpdateTableCommand') delete tables.get(command.input.TableName)?.stream;
        return answer;
      },
    });
    const { restored } = await restoreTables({ ...wanted, tables: ['Records'], dynamo });
    expect(restored[0]?.differences).toEqual(['stream']);
  });

  test('that is only rehearsed on paper reads, and no more', async () => {
    const { dynamo, calls } = fakeDynamo();
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const to = new Date('2026-11-20T10:00:00.900Z');
    expect(await restoreTables({ ...wanted, dynamo, isDry: true, to, print })).toMatchObject({ names: [] });
    expect(lines).toEqual([
      'would restore to 2026-11-20T10:00:00.000Z:',
      '  Records -> Records-drill',
      '  States -> States-drill',
    ]);
    expect(calls.filter((call) => writes.test(call))).toEqual([]);
  });

  test.each([['2026-10-19T23:59:59Z'], ['2026-11-21T12:00:00Z']])('to %s is refused', async (to) => {
    const { dynamo, calls } = fakeDynamo();
    const attempt = restoreTables({ ...wanted, dynamo, to: new Date(to) });
    await expect(attempt).rejects.toThrow(/from 2026-10-20.* until 2026-11-21T11:55:00.700Z/);
    expect(calls.filter((call) => writes.test(call))).toEqual([]);
  });

  test('of a table without point-in-time recovery is refused', async () => {
    const { dynamo, tables } = fakeDynamo();
    Object.assign(tables.get('States') ?? {}, { recoverable: false });
    await expect(restoreTables({ ...wanted, dynamo })).rejects.toThrow('States has no point-in-time recovery');
  });

  test.each([true, false])('protects from deletion what is kept, and nothing else: %s', async (keeps) => {
    const { dynamo, tables } = fakeDynamo();
    const { restored } = await restoreTables({ ...wanted, dynamo, keeps });
    expect(restored.flatMap(({ differences }) => differences)).toEqual([]);
    expect(['Records-drill', 'States-drill'].map((name) => tables.get(name)?.isProtected === true)).toEqual([
      keeps,
      keeps,
    ]);
  });

  test('waits for a table that is not known yet', async () => {
    const { dynamo, faults, calls } = fakeDynamo();
    const send = dynamo.send.bind(dynamo) as (command: unknown) => Promise<unknown>;
    Object.assign(dynamo, {
      send: async (command: { constructor: { name: string } }) => {
        const answer = await send(command);
        if (/^Restore/.test(command.constructor.name)) faults.set('DescribeTable', ['ResourceNotFoundException']);
        return answer;
      },
    });
    const { restored } = await restoreTables({ ...wanted, tables: ['Records'], dynamo });
    expect(restored[0]?.differences).toEqual([]);
    expect(calls).toContain('Scan Records-drill');
  });

  test('that fails for one table waits for the other, and names both to be deleted', async () => {
    const { dynamo, tables, faults } = fakeDynamo();
    faults.set('PutResourcePolicy', ['LimitExceededException']);
    const { restored, failures, names } = await restoreTables({ ...wanted, dynamo });
    expect(restored.map(({ source }) => source)).toEqual(['States']);
    expect(failures).toEqual(['Records: LimitExceededException']);
    expect(await deleteRestored({ dynamo, pollMs: 1 }, names)).toEqual([]);
    expect([...tables.keys()]).toEqual(['Records', 'States']);
  });

  test('names what could not be deleted, and not what was never made', async () => {
    const { dynamo, tables, faults } = fakeDynamo();
    faults.set('RestoreTableToPointInTime', ['LimitExceededException']);
    const { names, failures } = await restoreTables({ ...wanted, dynamo });
    expect([names.length, failures.length]).toEqual([2, 1]);
    const [made = ''] = [...tables.keys()].filter((name) => name.endsWith('-drill'));
    const [never = ''] = names.filter((name) => name !== made);
    faults.set('DeleteTable', ['AccessDeniedException']);
    expect(await deleteRestored({ dynamo, pollMs: 1 }, [made, never])).toEqual([`${made}: AccessDeniedException`]);
  });
});

describe('a table that AWS Backup restored', () => {
  const restored = (): Kept => ({
    keys: [{ AttributeName: 'userId', KeyType: 'HASH' }],
    recoverable: false,
    looks: 9,
    keyArn: 'arn:key',
  });

  test('gets all that the one in use has, the policy first, and again without harm', async () => {
    const { dynamo, tables, calls } = fakeDynamo();
    tables.set('New', restored());
    const equip = () => equipRestored(dynamo, { source: 'Records', name: 'New', pollMs: 1 });
    expect(await equip()).toEqual([]);
    const written = calls.filter((call) => writes.test(call));
    expect(written).toEqual([
      'PutResourcePolicy New',
      'TagResource New',
      'UpdateContinuousBackups New',
      'UpdateTimeToLive New',
      'UpdateTable New',
      'UpdateTable New',
    ]);
    expect(await equip()).toEqual([]);
    expect(calls.filter((call) => call.startsWith('UpdateTimeToLive'))).toHaveLength(1);
  });

  test('under another key is reported', async () => {
    const { dynamo, tables } = fakeDynamo();
    tables.set('New', { ...restored(), keyArn: 'arn:aws-owned' });
    expect(await equipRestored(dynamo, { source: 'Records', name: 'New', pollMs: 1 })).toEqual(['keyArn']);
  });

  test.each([
    ['Records', 'is the table in use'],
    ['Other', 'has other keys than Records'],
  ])('is not %s', async (name, why) => {
    const { dynamo, tables, calls } = fakeDynamo();
    tables.set('Other', { ...restored(), keys: [{ AttributeName: 'else', KeyType: 'HASH' }] });
    await expect(equipRestored(dynamo, { source: 'Records', name })).rejects.toThrow(`${name} ${why}`);
    expect(calls.filter((call) => writes.test(call))).toEqual([]);
  });
});

describe('in the template a restored table', () => {
  const made = (isUsed: boolean) => {
    const stack = new Stack(new ProductApp(productModule, { builtinCloudFormationValidation: false }), 'State');
    const expiry = addExpiryRole(stack);
    const restoredTables = { ConsentRecords: { as: 'A', isUsed } };
    const tables = addTables(stack, 'prod', {
      tables: [ConsentRecords],
      keyArn: 'arn:key',
      settings: { ...settings.prod, restoredTables },
      expiry,
    });
    const ids = stack.node.findAll().map(({ node }) => node.id);
    return { ids, used: tables.get('ConsentRecords')?.node.id };
  };

  test('first stands beside the one in use', () => {
    const { ids, used } = made(false);
    expect(used).toBe('ConsentRecordsTable');
    expect(ids).toEqual(expect.arrayContaining(['ConsentRecordsTable', 'ConsentRecordsATable']));
  });

  test('then takes its place', () => {
    const { ids, used } = made(true);
    expect(used).toBe('ConsentRecordsATable');
    expect(ids).not.toContain('ConsentRecordsTable');
  });
});
