import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TableHandle } from './table-handle.ts';

/** All rows of a table one by one. They may be some moments old: whoever acts on one reads it again. */
export async function* scanEach<Row>(
  table: TableHandle,
  scan: Omit<ScanCommandInput, 'TableName'> = {},
): AsyncGenerator<Row, void, undefined> {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(new ScanCommand({ ...scan, TableName: table.name, ExclusiveStartKey: next }));
    yield* (page.Items ?? []) as Row[];
    next = page.LastEvaluatedKey;
  } while (next);
}
