import { createHash } from 'node:crypto';
import { DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { StageOptions } from '../../../bin/stage.ts';
import { consumers, tables } from '../../../functions/domains.ts';
import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { administrator, credentialsOf } from '../../../lib/local/credentials.ts';
import type { RunningStage } from '../../../lib/local/stage.ts';

/** Who writes to the tables, and what they hold. */

type Intercept = NonNullable<NonNullable<StageOptions['intercept']>['dynamodb']>;

const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];

export function watchWrites(stage: () => RunningStage) {
  let byRoutes = 0;
  let byOthers = 0;
  let background: Set<string> | undefined;

  const intercept: Intercept = ({ action, accessKeyId }) => {
    if (accessKeyId === administrator.accessKeyId || !writing.includes(action)) return undefined;
    background ??= backgroundKeys(stage());
    if (background.has(accessKeyId)) byOthers += 1;
    else byRoutes += 1;
    return undefined;
  };

  return {
    intercept,
    /** Write calls of the routes' functions, whether or not they changed anything. */
    byRoutes: () => byRoutes,
    /** Those of the consumers, which follow what was accepted, whenever they come to it. */
    byOthers: () => byOthers,
  };
}

/** The functions that no request waits for. */
function backgroundKeys(stage: RunningStage): Set<string> {
  const operations = consumers.map(({ file }) => /([\w-]+)\.ts$/.exec(file)?.[1]);
  const functions = stage.model().functions.filter(({ operation }) => operations.includes(operation));
  return new Set(functions.map((fn) => credentialsOf(fn).accessKeyId));
}

/** They count what is refused: wrong codes. */
const counting = ['SiteCodeTries', 'SignInTries'];

/** A hash of each table's rows. */
export async function digestTables({ data }: RunningStage): Promise<Record<string, string>> {
  const { endpoint, region, credentials } = data;
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const counted = tables.filter((table) => tableExistsIn(table, 'dev') && !counting.includes(table.name));
  const names = counted.map(({ name }) => name);
  try {
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await digestOf(client, data.tables(name))] as const)),
    );
  } finally {
    client.destroy();
  }
}

/** The time to live deletes what expires before, whenever it comes to it; the same for all comparisons. */
const keptUntil = Date.now() / 1000 + 600;

function isKept({ expiresAt }: NonNullable<ScanCommandOutput['Items']>[number]): boolean {
  return expiresAt?.N === undefined || Number(expiresAt.N) > keptUntil;
}

async function digestOf(client: DynamoDBClient, TableName: string): Promise<string> {
  const rows: string[] = [];
  let ExclusiveStartKey: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page: ScanCommandOutput = await client.send(new ScanCommand({ TableName, ExclusiveStartKey }));
    rows.push(
      ...(page.Items ?? [])
        .filter(isKept)
        .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))),
    );
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const hash = createHash('sha256');
  for (const row of rows.sort()) hash.update(row).update('\n');
  return `${rows.length} rows ${hash.digest('hex').slice(0, 16)}`;
}

/** The tables that differ. */
export function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).filter((name) => before[name] !== after[name]);
}
