import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { mapWithConcurrency } from '../lib/runtime/map-with-concurrency.ts';
import { showProgress } from './progress.ts';
import { differences, equip, readEquipment, settledEvery } from './table-equipment.ts';

/** Restores tables by point-in-time recovery: each under another name, with the settings that a restored table lacks. */

export type Restoration = {
  readonly dynamo: DynamoDBClient;
  /** The tables' names on AWS; all are restored to the same second, as many at a time as AWS takes. */
  readonly tables: readonly string[];
  /** If absent, the latest time to which all of the tables can be restored. */
  readonly to?: Date | undefined;
  /** The end of the new tables' names. */
  readonly suffix: string;
  /** Only checks whether the restore is possible, and prints what would be done. */
  readonly isDry: boolean;
  /** The new tables will be used: they get the same protection from deletion as the old ones. */
  readonly keeps: boolean;
  readonly print: (line: string) => void;
  /** Between two looks at a table that is being restored, which takes minutes to hours. */
  readonly pollMs?: number;
};

const defaultPollMs = 15_000;

/** Of an account: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html */
export const restoresAtOnce = 50;

export type Restored = {
  readonly source: string;
  readonly name: string;
  readonly items: number;
  /** The settings that differ from those of the old table; empty unless something went wrong. */
  readonly differences: readonly string[];
};

export type Outcome = {
  readonly restored: readonly Restored[];
  /** Sentences about tables that were not restored, or not completely. */
  readonly failures: readonly string[];
  /** All tables that may exist now, including those of failures. */
  readonly names: readonly string[];
};

/** @throws an Error if a table has no point-in-time recovery, or none for that time; then nothing was made */
export async function restoreTables(restoration: Restoration): Promise<Outcome> {
  const { tables, print, isDry } = restoration;
  const at = await restorableAt(restoration);
  print(`${isDry ? 'would restore' : 'restoring'} to ${at.toISOString()}:`);
  const names = new Map(tables.map((source) => [source, newName(source, restoration.suffix)]));
  for (const [source, name] of names) print(`  ${source} -> ${name}`);
  if (isDry) return { restored: [], failures: [], names: [] };
  const settle = ([source, name]: readonly [string, string]) =>
    Promise.allSettled([restoreOne(restoration, source, name, at)]);
  const each = (await mapWithConcurrency([...names], restoresAtOnce, settle)).flat();
  return {
    restored: each.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    failures: each.flatMap((one, i) =>
      one.status === 'rejected' ? [`${[...names.keys()][i]}: ${sentence(one.reason)}`] : [],
    ),
    names: [...names.values()],
  };
}

/** @returns the tables that could not be deleted, each with the reason */
export async function deleteRestored(
  { dynamo, pollMs = defaultPollMs }: Pick<Restoration, 'dynamo' | 'pollMs'>,
  names: readonly string[],
): Promise<string[]> {
  const settled = settledEvery(pollMs);
  const each = await Promise.allSettled(
    names.map((TableName) => settled(() => dynamo.send(new DeleteTableCommand({ TableName })))),
  );
  return each.flatMap((one, i) =>
    one.status === 'fulfilled' || isMissing(one.reason) ? [] : [`${names[i]}: ${sentence(one.reason)}`],
  );
}

/** Rounded to whole seconds, because DynamoDB restores to a second. */
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
  const { dynamo, print, keeps, pollMs = defaultPollMs } = restoration;
  const before = await readEquipment(dynamo, source);
  // A rehearsal's copy is deleted again.
  const wanted = { ...before, isProtected: before.isProtected && keeps };
  await dynamo.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: source,
      TargetTableName: name,
      RestoreDateTime: at,
      // The key is given explicitly, so the new table uses the environment's key even if the source had another key at that time.
      ...(wanted.keyArn && {
        SSESpecificationOverride: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: wanted.keyArn },
      }),
    }),
  );
  const began = Date.now();
  while (!(await isReady(dynamo, name))) {
    // DynamoDB does not say how far it is, so a terminal shows the seconds.
    if (process.stderr.isTTY) showProgress(`restoring ${name} for ${Math.round((Date.now() - began) / 1000)} s`);
    await sleep(pollMs);
  }
  print(`${name} is restored; it now gets the settings that a restored table lacks`);
  await equip(dynamo, name, wanted, settledEvery(pollMs));
  const restored = { source, name, items: await count(dynamo, name) };
  return { ...restored, differences: differences(wanted, await readEquipment(dynamo, name)) };
}

async function isReady(dynamo: DynamoDBClient, TableName: string): Promise<boolean> {
  // A table that was just requested may not be visible everywhere yet.
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName })).catch((error) => {
    if (isMissing(error)) return { Table: undefined };
    throw error;
  });
  return Table?.TableStatus === 'ACTIVE' && Table.RestoreSummary?.RestoreInProgress !== true;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'ResourceNotFoundException';
}

function sentence(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Counted here, because DynamoDB's own number is hours old, and 0 for a new table. */
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
