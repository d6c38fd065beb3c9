import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { erasePersonalRows } from '../../functions/erasure/stores/personal-rows.ts';
import { handleNamed } from '../../lib/runtime/table-handle.ts';
import { localTables } from '../local-tables.ts';

/** Rows that are found by a key, in any table: here in three that have another use elsewhere. */

const names = ['Devices', 'Users', 'ConsentStates', 'ConsentReceipts'] as const;
const { client, tables } = await localTables(names);

const put = (TableName: string, Item: Record<string, unknown>) => client.send(new PutCommand({ TableName, Item }));
const rows = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Items ?? [];
const erase = (table: Parameters<typeof erasePersonalRows>[0], userId: string) =>
  erasePersonalRows(table, (name) => handleNamed(tables, name), userId);

test('all rows under the person’s id are deleted, and nobody else’s', async () => {
  for (const userId of ['one', 'one#two', 'other']) {
    for (const deviceId of ['a', 'b']) await put('Devices', { userId, deviceId });
    await put('Users', { userId });
  }
  await erase({ table: { name: 'Devices', partitionKey: 'userId', sortKey: 'deviceId' } }, 'one');
  await erase({ table: { name: 'Users', partitionKey: 'userId' } }, 'one');
  expect((await rows('Devices')).map(({ userId }) => userId).toSorted()).toEqual([
    ...['one#two', 'one#two', 'other', 'other'],
  ]);
  expect((await rows('Users')).map(({ userId }) => userId).toSorted()).toEqual(['one#two', 'other']);
  // Again: no rows are left, and there is no error.
  await erase({ table: { name: 'Devices', partitionKey: 'userId', sortKey: 'deviceId' } }, 'one');
});

test('rows that another table leads to are deleted by that table’s fields, and that table does not change', async () => {
  for (const userId of ['one', 'other']) {
    for (const agreementId of ['x', 'y']) {
      await put('ConsentStates', { userId, agreementId });
      for (const recordedAt of ['1', '2']) {
        await put('ConsentReceipts', { userAgreement: `${userId}#${agreementId}`, recordedAt });
      }
    }
  }
  const table = { name: 'ConsentReceipts', partitionKey: 'userAgreement', sortKey: 'recordedAt' };
  const through = { name: 'ConsentStates', partitionKey: 'userId' };
  await erase({ table, through, fields: ['userId', 'agreementId'] }, 'one');
  const left = (await rows('ConsentReceipts')).map(({ userAgreement }) => userAgreement);
  expect(left.toSorted()).toEqual(['other#x', 'other#x', 'other#y', 'other#y']);
  expect(await rows('ConsentStates')).toHaveLength(4);
});
