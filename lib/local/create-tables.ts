import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { administrator } from './credentials.ts';
import { type DynamoDbCall, dynamoDbClient } from './dynamodb/client.ts';
import type { TableModel } from './model.ts';

/**
 * Creates the template's missing tables, in this process or in an external DynamoDB.
 *
 * @returns the names of the new tables
 * @throws an Error if the kept data has another form than the template's tables
 */
export async function createTables(endpoint: string, region: string, tables: readonly TableModel[]): Promise<string[]> {
  const call = dynamoDbClient(endpoint, region, administrator.accessKeyId);
  const expire = (TableName: string, AttributeName: string) =>
    call('UpdateTimeToLive', { TableName, TimeToLiveSpecification: { AttributeName, Enabled: true } });
  /** A template may declare the time to live later than the table. */
  const enableExpiry = async (TableName: string, AttributeName: string) => {
    const { TimeToLiveDescription } = await call('DescribeTimeToLive', { TableName });
    const { TimeToLiveStatus: status } = TimeToLiveDescription as { TimeToLiveStatus?: string };
    if (!status?.startsWith('ENABL')) await expire(TableName, AttributeName);
  };
  const existing = new Set(await tableNames(call));
  const created = await Promise.allSettled(
    tables.map(async ({ name, definition, timeToLiveAttribute }) => {
      if (existing.has(name)) {
        const { Table: found } = (await call('DescribeTable', { TableName: name })) as { Table: Described };
        assertSameForm(definition, found);
        const wanted = definition.StreamSpecification;
        if (wanted && !found.StreamSpecification)
          await call('UpdateTable', { TableName: name, StreamSpecification: wanted });
        if (timeToLiveAttribute) await enableExpiry(name, timeToLiveAttribute);
        return null;
      }
      let answer = await call('CreateTable', { BillingMode: 'PAY_PER_REQUEST', ...definition });
      let { TableStatus: status } = answer.TableDescription as Described;
      while (status !== 'ACTIVE') {
        answer = await call('DescribeTable', { TableName: name });
        ({ TableStatus: status } = answer.Table as Described);
        if (status !== 'ACTIVE') await sleep(5);
      }
      if (timeToLiveAttribute) await expire(name, timeToLiveAttribute);
      return name;
    }),
  );
  // All calls have ended here: a call that outlived a failed start would meet a closed DynamoDB.
  for (const result of created) if (result.status === 'rejected') throw result.reason;
  return created.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
}

async function tableNames(call: DynamoDbCall) {
  const names: string[] = [];
  let last: unknown;
  do {
    const page = await call('ListTables', last === undefined ? {} : { ExclusiveStartTableName: last });
    names.push(...(page.TableNames as string[]));
    last = page.LastEvaluatedTableName;
  } while (last !== undefined);
  return names;
}

type Index = { IndexName: string; KeySchema: unknown };
type Described = {
  TableName: string;
  TableStatus: string;
  KeySchema: unknown;
  GlobalSecondaryIndexes?: Index[];
  StreamSpecification?: unknown;
};

function assertSameForm(definition: TableModel['definition'], found: Described): void {
  const form = (KeySchema: unknown, indexes: Index[]) => ({
    KeySchema,
    indexes: indexes.map(({ IndexName, KeySchema }) => [IndexName, KeySchema]).sort(),
  });
  const wanted = form(definition.KeySchema, (definition.GlobalSecondaryIndexes as Index[] | undefined) ?? []);
  if (!isDeepStrictEqual(wanted, form(found.KeySchema, found.GlobalSecondaryIndexes ?? []))) {
    throw new Error(`the kept table ${found.TableName} has other keys than the template's; remove the kept data`);
  }
}
