import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { administrator } from './credentials.ts';
import type { TableModel } from './model.ts';
import { signedHeaders } from './service/signature.ts';

/**
 * Creates the template's missing tables, in this process or in an external DynamoDB.
 *
 * @returns the names of the new tables
 * @throws an Error if the kept data has another form than the template's tables
 */
export async function createTables(endpoint: string, region: string, tables: readonly TableModel[]): Promise<string[]> {
  const call = (action: string, input: object) => dynamoDb(endpoint, region, action, input);
  /** A template may declare the time to live later than the table. */
  const enableExpiry = async (TableName: string, AttributeName: string) => {
    const { TimeToLiveDescription } = await call('DescribeTimeToLive', { TableName });
    const { TimeToLiveStatus: status } = TimeToLiveDescription as { TimeToLiveStatus?: string };
    if (status?.startsWith('ENABL')) return;
    await call('UpdateTimeToLive', { TableName, TimeToLiveSpecification: { AttributeName, Enabled: true } });
  };
  const created = await Promise.allSettled(
    tables.map(async ({ name, definition, timeToLiveAttribute }) => {
      const found = await call('DescribeTable', { TableName: name }).catch((error: unknown) => {
        if (error instanceof DynamoDbError && error.code === 'ResourceNotFoundException') return null;
        throw error;
      });
      if (found) {
        assertSameForm(definition, found.Table as Described);
        const wanted = definition.StreamSpecification;
        const { StreamSpecification: enabled } = found.Table as Described;
        if (wanted && !enabled) await call('UpdateTable', { TableName: name, StreamSpecification: wanted });
        if (timeToLiveAttribute) await enableExpiry(name, timeToLiveAttribute);
        return null;
      }
      await call('CreateTable', { BillingMode: 'PAY_PER_REQUEST', ...definition });
      while (((await call('DescribeTable', { TableName: name })).Table as Described).TableStatus !== 'ACTIVE') {
        await sleep(5);
      }
      if (timeToLiveAttribute) await enableExpiry(name, timeToLiveAttribute);
      return name;
    }),
  );
  // All calls have ended here: a call that outlived a failed start would meet a closed DynamoDB.
  for (const result of created) if (result.status === 'rejected') throw result.reason;
  return created.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
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

class DynamoDbError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** One call without the SDK: loading the SDK takes longer than the rest of an unchanged start. */
async function dynamoDb(endpoint: string, region: string, action: string, input: object) {
  const body = JSON.stringify(input);
  const call = { endpoint, region, accessKeyId: administrator.accessKeyId, target: `DynamoDB_20120810.${action}` };
  const response = await fetch(endpoint, { method: 'POST', headers: signedHeaders(call, body), body });
  const output = (await response.json()) as Record<string, unknown>;
  if (response.ok) return output;
  const code = String(output.__type).replace(/^.*#/, '');
  throw new DynamoDbError(code, `${output.message ?? output.Message ?? `status ${response.status}`} (${action})`);
}
