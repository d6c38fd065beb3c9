import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { runKey } from '../../window-runs/exports.ts';
import type { SleepWindow } from '../rules/window.ts';

/**
 * Table `SleepWindows`: one row for each release and one for each withdrawal, by its number. Rows are never changed. Other
 * rows say on which nights the patient nodded off.
 */

export type WindowRow = SleepWindow & {
  /** The zone in which the patient was at the release. */
  readonly zone: string;
  readonly releasedBy: string;
};

const noddedOffPrefix = '#nodded-off#';

/** An entry that says that the patient nodded off. */
export type NoddedOff = {
  readonly userId: string;
  readonly date: string;
  /** The same if the same write is repeated. */
  readonly fingerprint: string;
  readonly now: Date;
};

const noddedOffKey = ({ userId, date }: NoddedOff) => ({ userId, number: `${noddedOffPrefix}${date}` });

/**
 * The write that remembers a night on which the patient nodded off, for the transaction of its diary entry: it stays when
 * the entry is corrected or deleted. Each entry that says so is a sign of its own, also the second one of a date.
 */
export function rememberNoddedOff(table: string, said: NoddedOff): Items {
  const update = {
    TableName: table,
    Key: noddedOffKey(said),
    UpdateExpression: 'SET #date = :date, noddedOffAt = :now, fingerprint = :fingerprint',
    ExpressionAttributeNames: { '#date': 'date' },
    ExpressionAttributeValues: {
      ':date': said.date,
      ':now': said.now.toISOString(),
      ':fingerprint': said.fingerprint,
    },
  };
  return [{ Update: update }];
}

/**
 * The same write, where the entry itself is not written. A repetition is no new sign. If two of them come at the same time,
 * both are written, with nearly the same time.
 */
export async function rememberAlone(client: DynamoDBDocumentClient, table: string, said: NoddedOff): Promise<void> {
  await retryOnContention(async () => {
    const Key = noddedOffKey(said);
    const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    if (Item?.fingerprint === said.fingerprint) return null;
    return (await commit(client, rememberNoddedOff(table, said))) ? null : contended;
  });
}

/** An entry arrives at most 30 days late, or 31 by the clock of another zone: the night that arrived last is one of these. */
const latestNights = 32;

/** When the service last learned of such a night; null if there is none. */
export async function readNoddedOffAt(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<string | null> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userId = :userId AND begins_with(#number, :prefix)',
      ExpressionAttributeNames: { '#number': 'number' },
      ExpressionAttributeValues: { ':userId': userId, ':prefix': noddedOffPrefix },
      ScanIndexForward: false,
      Limit: latestNights,
      ConsistentRead: true,
    }),
  );
  const times = Items.map(({ noddedOffAt }) => String(noddedOffAt));
  return times.toSorted().at(-1) ?? null;
}

/**
 * Writes the first window of a run together with the run's row, and a withdrawal together with the deletion of that
 * row.
 *
 * @returns false if another row with this number was written in the meantime
 */
export async function putWindow(
  client: DynamoDBDocumentClient,
  tables: { readonly SleepWindows: string; readonly SleepWindowRuns: string },
  userId: string,
  window: WindowRow,
): Promise<boolean> {
  const Item = { ...window, userId, number: String(window.sequence).padStart(4, '0') };
  const put = { TableName: tables.SleepWindows, Item, ConditionExpression: 'attribute_not_exists(userId)' };
  return commit(client, [{ Put: put }, ...itemsOfRun(tables.SleepWindowRuns, userId, window)]);
}

function itemsOfRun(TableName: string, userId: string, window: WindowRow): Items {
  const { startedOn } = window;
  const Key = runKey(userId, startedOn);
  if (window.isWithdrawn) return [{ Delete: { TableName, Key } }];
  return startedOn === window.from ? [{ Put: { TableName, Item: { ...Key, userId, startedOn } } }] : [];
}
