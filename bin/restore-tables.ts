import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { differences, equip, readEquipment, settledEvery } from './table-equipment.ts';

/** Point-in-time recovery, rehearsed: each table as it was, under another name, with all that a restored table lacks. */

export type Restoration = {
  readonly dynamo: DynamoDBClient;
  /** The tables' names on AWS; several are restored to the same second, and at the same time. */
  readonly tables: readonly string[];
  /** Absent: the latest that every one of them can be restored to. */
  readonly to?: Date | undefined;
  /** What the new tables' names end in. */
  readonly suffix: string;
  /** Says what would be done, after it has looked whether it could be. */
  readonly isDry: boolean;
  readonly print: (line: string) => void;
  /** Between two looks at a table that is being restored, which takes minutes to hours. */
  readonly pollMs?: number;
};

const defaultPollMs = 15_000;

export type Restored = {
  readonly source: string;
  readonly name: string;
  readonly items: number;
  /** What the new table has not as the old one; nothing, unless something went wrong. */
  readonly differences: readonly string[];
};

/** @throws an Error where a table has no point-in-time recovery, or none for that time */
export async function restoreTables(restoration: Restoration): Promise<Restored[]> {
  const { tables, print, isDry } = restoration;
  const at = await restorableAt(restoration);
  print(`${isDry ? 'would restore' : 'restoring'} to ${at.toISOString()}:`);
  const names = new Map(tables.map((source) => [source, newName(source, restoration.suffix)]));
  for (const [source, name] of names) print(`  ${source} -> ${name}`);
  if (isDry) return [];
  return Promise.all([...names].map(([source, name]) => restoreOne(restoration, source, name, at)));
}

export async function deleteRestored(
  { dynamo, pollMs = defaultPollMs }: Pick<Restoration, 'dynamo' | 'pollMs'>,
  restored: readonly Restored[],
): Promise<void> {
  const settled = settledEvery(pollMs);
  for (const { name } of restored) await settled(() => dynamo.send(new DeleteTableCommand({ TableName: name })));
}

/** Whole seconds, as DynamoDB restores to them. */
async function restorableAt({ dynamo, tables, to }: Restoration): Promise<Date> {
  const windows = await Promise.all(
    tables.map(async (TableName) => {
      const { ContinuousBackupsDescription } = await dynamo.send(new DescribeContinuousBackupsCommand({ TableName }));
      const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
        ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
      if (!earliest || !latest) throw new Error(`${TableName} has no point-in-time recovery`);
      return { earliest: earliest.getTime(), latest: latest.getTime() };
    }),
  );
  const earliest = Math.max(...windows.map((window) => window.earliest));
  const latest = Math.min(...windows.map((window) => window.latest));
  const at = Math.floor((to?.getTime() ?? latest) / 1000) * 1000;
  if (at < earliest || at > latest) {
    const [from, until] = [earliest, latest].map((time) => new Date(time).toISOString());
    throw new Error(
      `the tables can be restored to a time from ${from} until ${until}, not to ${new Date(at).toISOString()}`,
    );
  }
  return new Date(at);
}

/** At most 255 characters: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
function newName(source: string, suffix: string): string {
  return `${source.slice(0, 254 - suffix.length)}-${suffix}`;
}

async function restoreOne(restoration: Restoration, source: string, name: string, at: Date): Promise<Restored> {
  const { dynamo, print, pollMs = defaultPollMs } = restoration;
  const wanted = await readEquipment(dynamo, source);
  await dynamo.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: source,
      TargetTableName: name,
      RestoreDateTime: at,
      // Stated, so that it is under the environment's key whatever the source was under then.
      ...(wanted.keyArn && {
        SSESpecificationOverride: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: wanted.keyArn },
      }),
    }),
  );
  while (!(await isReady(dynamo, name))) await sleep(pollMs);
  print(`${name} is there; it gets back what a restored table lacks`);
  await equip(dynamo, name, wanted, settledEvery(pollMs));
  const restored = { source, name, items: await count(dynamo, name) };
  return { ...restored, differences: differences(wanted, await readEquipment(dynamo, name)) };
}

async function isReady(dynamo: DynamoDBClient, TableName: string): Promise<boolean> {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
  return Table?.TableStatus === 'ACTIVE' && Table.RestoreSummary?.RestoreInProgress !== true;
}

/** The number that DynamoDB keeps itself is hours old, and 0 for a new table. */
async function count(dynamo: DynamoDBClient, TableName: string): Promise<number> {
  let items = 0;
  let from: Record<string, never> | undefined;
  do {
    const page = await dynamo.send(
      new ScanCommand({ TableName, Select: 'COUNT', ConsistentRead: true, ...(from && { ExclusiveStartKey: from }) }),
    );
    items += page.Count ?? 0;
    from = page.LastEvaluatedKey as typeof from;
  } while (from);
  return items;
}
