import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { ConsentRecords } from '../../access/consent-states.ts';
import { partitionOf } from '../../consents/rules.ts';
import { generationOf, generationsKey } from '../rules/statistics-keys.ts';
import { beginGeneration, finishGeneration } from '../stores/generations.ts';
import type { ConsentStatistics } from '../tables.ts';
import { type Counting, countInto, type Heard } from '../workflows/count-chains.ts';

/** `npm run cli -- rebuild-statistics`: counts the whole ledger again, into a new generation of figures. The old figures are still read in the meantime. */

export type Rebuild = Counting & {
  readonly tables: {
    readonly ConsentRecords: ConsentRecords<'scan'>;
    readonly ConsentStatistics: ConsentStatistics<'putRow' | 'scan' | 'removeRow'>;
  };
  /** Parts of the ledger that are read at once. */
  readonly segments: number;
  readonly progress: (line: string) => void;
};

/**
 * Counts every chain into the next generation, as the stream's consumer does from its beginning on: by the chains' rows
 * nothing counts twice. Then that generation is read, and the rows of earlier ones go, among them those of a rebuild that
 * was interrupted.
 */
export async function rebuildStatistics(rebuild: Rebuild): Promise<{ generation: number; records: number }> {
  const { tables, segments, progress } = rebuild;
  const { client, name } = tables.ConsentRecords;
  const generations = { table: tables.ConsentStatistics, key: generationsKey };
  const generation = await beginGeneration(generations);
  progress(`counting into generation ${generation}`);
  let records = 0;
  const walk = async (Segment: number) => {
    for await (const { Items = [] } of paginateScan({ client }, scanOf(name, Segment, segments))) {
      await countInto(rebuild, generation, [...chainsIn(Items as Row[])]);
      records += Items.length;
      progress(`${records} records`);
    }
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => walk(segment)));
  await finishGeneration(generations, generation);
  progress(`${await removeBefore(tables.ConsentStatistics, generation)} rows of earlier generations removed`);
  return { generation, records };
}

type Row = Heard['records'][number] & { userId: string; agreementId: string; expiresAt?: number };

function scanOf(TableName: string, Segment: number, TotalSegments: number) {
  const names = ['userId', 'agreementId', 'sequence', 'recordedAt', 'action', 'versionId', 'expiresAt'];
  return {
    TableName,
    Segment,
    TotalSegments,
    ConsistentRead: true,
    ProjectionExpression: names.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
  };
}

/** What a page cuts off is read from the ledger again by who counts. A chain that was let go counts no more. */
function* chainsIn(rows: readonly Row[]): Iterable<Heard> {
  for (const records of Map.groupBy(rows, partitionOf).values()) {
    const [{ userId, agreementId }] = records as [Row];
    if (records.every(({ expiresAt }) => expiresAt === undefined)) {
      yield { userId, agreementId, records, isReleased: false };
    }
  }
}

/** A row that a late consumer still writes there is read by nobody, and goes at the next rebuild. */
async function removeBefore(table: ConsentStatistics<'scan' | 'removeRow'>, current: number): Promise<number> {
  const { client, name: TableName } = table;
  let removed = 0;
  const projection = { ProjectionExpression: 'agreementId, statisticsKey' };
  for await (const { Items = [] } of paginateScan({ client, pageSize: 1000 }, { TableName, ...projection })) {
    const old = Items.filter(({ statisticsKey }) => (generationOf(String(statisticsKey)) ?? current) < current);
    for (let from = 0; from < old.length; from += 25) {
      await removeRows(table, old.slice(from, from + 25));
    }
    removed += old.length;
  }
  return removed;
}

async function removeRows({ client, name }: ConsentStatistics<'removeRow'>, keys: Record<string, unknown>[]) {
  let requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
  while (requests.length > 0) {
    const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
    requests = (UnprocessedItems?.[name] ?? []) as typeof requests;
  }
}
