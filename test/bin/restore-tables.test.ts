import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { App, Stack } from 'aws-cdk-lib/core';
import { describe, expect, test } from 'vitest';
import { deleteRestored, restoreTables } from '../../bin/restore-tables.ts';
import { addExpiryRole } from '../../lib/stack/ledger.ts';
import { settings } from '../../lib/stack/settings.ts';
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
    UpdateTable: ({ StreamSpecification }, table) =>
      Object.assign(table, { stream: StreamSpecification.StreamViewType }),
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

const wanted = { tables: ['Records', 'States'], suffix: 'drill', isDry: false, print: () => undefined, pollMs: 1 };
const writes = /^(?!Describe|Get|Scan)/;

describe('a restoration', () => {
  test('makes the tables of one second, with all that a restored table lacks', async () => {
    const { dynamo, tables } = fakeDynamo();
    const restored = await restoreTables({ ...wanted, dynamo });
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
    });
    const times = ['Records-drill', 'States-drill'].map((name) => tables.get(name)?.to?.toISOString());
    expect(times).toEqual(['2026-11-21T11:55:00.000Z', '2026-11-21T11:55:00.000Z']);
  });

  test('never writes a table in use', async () => {
    const { dynamo, calls } = fakeDynamo();
    const restored = await restoreTables({ ...wanted, dynamo });
    await deleteRestored({ dynamo, pollMs: 1 }, restored);
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
    const [records] = await restoreTables({ ...wanted, tables: ['Records'], dynamo });
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
    const [records] = await restoreTables({ ...wanted, tables: ['Records'], dynamo });
    expect(records?.differences).toEqual(['stream']);
  });

  test('that is only rehearsed on paper reads, and no more', async () => {
    const { dynamo, calls } = fakeDynamo();
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const to = new Date('2026-11-20T10:00:00.900Z');
    expect(await restoreTables({ ...wanted, dynamo, isDry: true, to, print })).toEqual([]);
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
});

describe('in the template a restored table', () => {
  const made = (isUsed: boolean) => {
    const stack = new Stack(new App(), 'State');
    const expiry = addExpiryRole(stack);
    const restoredTables = { ConsentRecords: { as: 'A', isUsed } };
    const tables = addTables(stack, 'prod', {
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
