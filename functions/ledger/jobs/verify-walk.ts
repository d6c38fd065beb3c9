import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Any } from '../../../lib/runtime/table-handle.ts';
import { runWorkers } from './run-workers.ts';
import type { Position } from './verify-work.ts';

type Row = Readonly<Record<string, unknown>>;

export type Walk = {
  readonly table: Any<'scan'>;
  /** The key's attributes. */
  readonly keyNames: readonly string[];
  /** One for each segment; updated in place after each group. */
  readonly positions: Position[];
  /** Consecutive rows with the same answer are one group. */
  readonly groupOf: (row: Row) => string;
  readonly onGroup: (name: string, rows: readonly Row[]) => void;
  /** Called after each page, when positions and groups agree. */
  readonly onPage: () => void;
};

/**
 * Reads a whole table, in parallel segments and consistently. Rows of one partition are stored together, in the order
 * of their sort keys, and a scan of a segment reads them in this order; but DynamoDB promises that only for a Query, and
 * may split a large partition. So for the caller a wrong group is a reason to look again, not a finding.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.Partitions.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html#Scan.ParallelScan
 */
export async function walk(walking: Walk): Promise<void> {
  const { positions } = walking;
  await runWorkers(positions.length, (segment, signal) => walkSegment(walking, segment, signal));
}

async function walkSegment(walking: Walk, Segment: number, signal: AbortSignal): Promise<void> {
  const { table, positions, groupOf, onGroup, onPage, keyNames } = walking;
  const position = positions[Segment] as Position;
  if (position.isDone) return;
  let open: { name: string; rows: Row[] } | null = null;
  const finish = () => {
    if (!open) return;
    onGroup(open.name, open.rows);
    const last = open.rows.at(-1) as Row;
    position.key = Object.fromEntries(keyNames.map((name) => [name, last[name]]));
    open = null;
  };
  let ExclusiveStartKey = position.key ?? undefined;
  do {
    const page = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        Segment,
        TotalSegments: positions.length,
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    if (signal.aborted) return;
    for (const row of page.Items ?? []) {
      const name = groupOf(row);
      if (open && open.name !== name) finish();
      open ??= { name, rows: [] };
      open.rows.push(row);
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
    if (!ExclusiveStartKey) {
      finish();
      position.isDone = true;
    }
    onPage();
  } while (ExclusiveStartKey);
}
