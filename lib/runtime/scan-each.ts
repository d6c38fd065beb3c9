import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Stated, Whole } from './rows.ts';
import type { Any, Holding, RowIn } from './table-handle.ts';

type Each<Row> = AsyncGenerator<Row, void, undefined>;
type Scan = Omit<ScanCommandInput, 'TableName'>;

/** All rows of a table one by one. They may be some moments old: whoever acts on one reads it again. */
export function scanEach<T extends Any<'scan'>>(table: T, scan?: Whole<Scan>): Each<RowIn<T>>;
/** Where rows are of several kinds, or only some attributes are read. */
export function scanEach<Row = never>(table: Any<'scan'> & Holding<NoInfer<Row>>, scan?: Stated<Row, Scan>): Each<Row>;
export async function* scanEach({ client, name }: Any<'scan'>, scan: Scan = {}): Each<unknown> {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new ScanCommand({ ...scan, TableName: name, ExclusiveStartKey: next }));
    yield* page.Items ?? [];
    next = page.LastEvaluatedKey;
  } while (next);
}
