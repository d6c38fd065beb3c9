import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ExportedTable, exportedTables } from '../../functions/analytics/views.ts';
import { stageAccess } from '../stage-access.ts';
import { itemsOfTable } from './exports.ts';
import { writeExport } from './files.ts';

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

/** Writes the tables of the running local stage in the form of a DynamoDB export. @returns the number of items of each table */
export async function exportLocal(out: string): Promise<ReadonlyMap<ExportedTable, number>> {
  const access = await stageAccess({ local: true });
  const dynamo = new DynamoDBClient({ ...limits, ...access.client('dynamodb') });
  const now = new Date();
  const exportId = `0${now.getTime()}-${randomBytes(4).toString('hex')}`;
  const counts = new Map<ExportedTable, number>();
  // The ledger is written last. An export is found by the ledger's folder, so an incomplete export is never used.
  const order = (table: ExportedTable) => (table === 'ConsentRecords' ? 1 : 0);
  for (const table of exportedTables.toSorted((one, other) => order(one) - order(other))) {
    const items = itemsOfTable(dynamo, await access.outputs(`${table}TableName`));
    counts.set(table, (await writeExport(join(out, table), { exportId, table, now }, items)).items);
  }
  dynamo.destroy();
  return counts;
}
