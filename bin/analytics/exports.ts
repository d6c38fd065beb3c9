import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  DescribeExportCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ExportTableToPointInTimeCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { type ExportedTable, exportedTables } from '../../functions/analytics/views.ts';
import type { Item } from './files.ts';

/** DynamoDB's own export. It reads the backups for point-in-time recovery, and uses no capacity of a table. */

export type Exporting = {
  readonly dynamo: DynamoDBClient;
  readonly tables: Readonly<Record<ExportedTable, string>>;
  readonly bucket: string;
  readonly keyArn: string;
  /** If the same run is started again within eight hours, it waits for the exports that it began. */
  readonly run: string;
  /** All tables are exported as they were at this time. */
  readonly at: Date;
  readonly pollMs: number;
  readonly progress: (line: string) => void;
};

/** @returns the folder of each table's data files @throws an Error if an export fails */
export async function exportTables(exporting: Exporting): Promise<Record<ExportedTable, string>> {
  const { dynamo, tables, bucket, keyArn, run, at, progress } = exporting;
  const begun = await Promise.all(
    exportedTables.map(async (table) => {
      const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: tables[table] }));
      const { ExportDescription } = await dynamo.send(
        new ExportTableToPointInTimeCommand({
          TableArn: Table?.TableArn,
          ExportTime: at,
          ExportFormat: 'DYNAMODB_JSON',
          S3Bucket: bucket,
          S3Prefix: `exports/${run}/${table}`,
          S3SseAlgorithm: 'KMS',
          S3SseKmsKeyId: keyArn,
          ClientToken: `${run}-${table}`,
        }),
      );
      return { table, arn: ExportDescription?.ExportArn };
    }),
  );
  const folders: [ExportedTable, string][] = [];
  for (const { table, arn } of begun) {
    const { manifest, items, bytes } = await exported(exporting, table, arn);
    progress(`${table}: ${items} items, ${(bytes / 1e9).toFixed(2)} GB are billed`);
    folders.push([table, `s3://${bucket}/${dataFolderOf(manifest, `exports/${run}/${table}`)}`]);
  }
  return Object.fromEntries(folders) as Record<ExportedTable, string>;
}

/** DynamoDB may return the key of the manifest with or without the requested prefix. */
function dataFolderOf(manifest: string, prefix: string): string {
  const folder = manifest.replace(/manifest-summary\.json$/, 'data/');
  if (!folder.endsWith('/data/')) throw new Error(`${manifest} is no manifest of an export`);
  return folder.startsWith(`${prefix}/`) ? folder : `${prefix}/${folder}`;
}

async function exported({ dynamo, pollMs }: Exporting, table: ExportedTable, ExportArn: string | undefined) {
  for (;;) {
    const { ExportDescription: found } = await dynamo.send(new DescribeExportCommand({ ExportArn }));
    if (found?.ExportStatus === 'COMPLETED' && found.ExportManifest) {
      return { manifest: found.ExportManifest, items: found.ItemCount ?? 0, bytes: found.BilledSizeBytes ?? 0 };
    }
    if (found?.ExportStatus === 'FAILED') {
      throw new Error(`the export of ${table} failed: ${found.FailureCode}: ${found.FailureMessage}`);
    }
    await sleep(pollMs);
  }
}

/** Reads all items of a table of the local stage. DynamoDB Local has no exports. */
export async function* itemsOfTable(dynamo: DynamoDBClient, TableName: string): AsyncGenerator<Item> {
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page = await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: from }));
    yield* page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from);
}
