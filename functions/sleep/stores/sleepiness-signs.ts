import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';

/** Table `SleepinessSigns`: when the diary said that the patient nodded off. Every read is strongly consistent. */

/** An entry that says that the patient nodded off. */
export type NoddedOff = {
  readonly userId: string;
  readonly date: string;
  /** The same if the same write is repeated. */
  readonly fingerprint: string;
  readonly now: Date;
};

type Row = { readonly sign: string; readonly date: string; readonly noddedOffAt: string; readonly fingerprint: string };

/**
 * The write that remembers it, for the transaction of its diary entry: it stays when the entry is corrected or deleted. Each entry
 * that says so is a sign of its own, also the second one of a date.
 */
export function rememberNoddedOff(TableName: string, { userId, date, fingerprint, now }: NoddedOff): Items {
  const noddedOffAt = now.toISOString();
  const row: Row = { sign: `${noddedOffAt}#${date}`, date, noddedOffAt, fingerprint };
  return [{ Put: { TableName, Item: { userId, ...row } } }];
}

/**
 * The same write, where the entry itself is not written. A repetition is no new sign. If two of them come at the same time,
 * both are written, with nearly the same time.
 */
export async function rememberAlone(client: DynamoDBDocumentClient, table: string, said: NoddedOff): Promise<void> {
  await retryOnContention(async () => {
    const newest = await readNewest(client, table, said.userId, repeatedAfter);
    const ofDate = newest.find(({ date }) => date === said.date);
    if (ofDate?.fingerprint === said.fingerprint) return null;
    return (await commit(client, rememberNoddedOff(table, said))) ? null : contended;
  });
}

/** When the service last learned of it, as the key says; null if it never did. A planted key can say anything (`believedSign`). */
export async function readNoddedOffAt(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<string | null> {
  const [newest] = await readNewest(client, table, userId, 1);
  return newest?.sign.split('#')[0] ?? null;
}

/** A request is not sent again after so many signs of other nights. */
const repeatedAfter = 100;

async function readNewest(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  limit: number,
): Promise<Row[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ScanIndexForward: false,
      Limit: limit,
      ConsistentRead: true,
    }),
  );
  return Items as Row[];
}
