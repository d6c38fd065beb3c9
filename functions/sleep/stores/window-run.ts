import { DeleteCommand, type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Run } from '../../questionnaires/rules/window-run.ts';
import { readLastWindow, runKey, startOf, type WindowRow } from './window-rows.ts';

/**
 * The runs of sleep windows: from a release after none to the withdrawal. Table `SleepWindowRuns` lists them by their
 * start, so that reminders find their users without a Scan. A run's row is written in the transaction of its first
 * window (window-rows.ts).
 */

/** The patient's last run; null if no window was ever released. Strongly consistent. */
export async function readWindowRun(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<Run | null> {
  return runOf(userId, await readLastWindow(client, table, userId));
}

/** @param last the last release or withdrawal */
export function runOf(userId: string, last: WindowRow | null): Run | null {
  return last && { userId, startedOn: startOf(last), endedAt: last.isWithdrawn ? last.releasedAt : null };
}

/** A row of the list. */
export type ListedRun = {
  readonly month: string;
  readonly run: string;
  readonly userId: string;
  readonly startedOn: string;
};

const pageRows = 100;

/**
 * The runs that began in a month, by their start.
 *
 * @param month `2026-11`
 * @param after the `run` after which the list continues; null: from the start
 */
export async function* readRunsOf(
  client: DynamoDBDocumentClient,
  table: string,
  { month, after }: { readonly month: string; readonly after: string | null },
): AsyncGenerator<ListedRun> {
  let next: Record<string, unknown> | undefined = after === null ? undefined : { month, run: after };
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: '#month = :month',
        ExpressionAttributeNames: { '#month': 'month' },
        ExpressionAttributeValues: { ':month': month },
        Limit: pageRows,
        ExclusiveStartKey: next,
      }),
    );
    yield* Items as ListedRun[];
    next = LastEvaluatedKey;
  } while (next);
}

/** Takes a run from the list: it is over, and nobody is reminded of it any more. */
export async function dropRun(
  client: DynamoDBDocumentClient,
  TableName: string,
  { userId, startedOn }: Pick<Run, 'userId' | 'startedOn'>,
): Promise<void> {
  await client.send(new DeleteCommand({ TableName, Key: runKey(userId, startedOn) }));
}
