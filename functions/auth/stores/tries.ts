import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keyedHash } from '../../../lib/runtime/keyed.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { isPast, lockEnd, mostFailures, type Tries, windowMs } from '../rules/tries.ts';

export type Tried = {
  readonly secret: string;
  readonly application: string;
  /** As it was sent: the count is the same for an account that does not exist. */
  readonly username: string;
  readonly sourceIp: string;
};

type Client = DynamoDBDocumentClient;

function pairOf({ secret, application, username, sourceIp }: Tried): string {
  return keyedHash(secret, 'sign-in tries', `${application}#${username.normalize('NFC').toLowerCase()}#${sourceIp}`);
}

/**
 * Counts a sign-in as failed before it is tried, so that of whatever is tried at once ten get through; `forgetTries` after a
 * success takes it back.
 *
 * @returns until when no more is tried; null where this one may be
 */
export async function takeSignInTry(
  client: Client,
  table: string,
  tried: Tried,
  realNow: Date,
): Promise<string | null> {
  const pair = pairOf(tried);
  const now = realNow.getTime();
  const expiresAt = Math.ceil((now + windowMs) / 1000);
  return retryOnContention(
    async () => {
      try {
        await client.send(
          new UpdateCommand({
            TableName: table,
            Key: { pair },
            UpdateExpression: 'SET failures = failures + :one, #last = :now, expiresAt = :expiresAt',
            ConditionExpression: 'failures < :most AND since > :begin',
            ExpressionAttributeNames: { '#last': 'last' },
            ExpressionAttributeValues: {
              ':one': 1,
              ':now': now,
              ':expiresAt': expiresAt,
              ':most': mostFailures,
              ':begin': now - windowMs,
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return null;
      } catch (error) {
        const before = refusedBy(error);
        if (before && !isPast(before, now)) return lockEnd(before);
        return (await begin(client, table, { pair, failures: 1, since: now, last: now, expiresAt }, before))
          ? null
          : contended;
      }
    },
    { retries: 12 },
  );
}

/** @returns the row that stood against the condition, null where there was none. @throws every other error */
function refusedBy(error: unknown): Tries | null {
  const { name, Item } = error as { name?: string; Item?: Readonly<Record<string, unknown>> };
  if (name !== 'ConditionalCheckFailedException') throw error;
  if (!Item) return null;
  const number = (field: string) => Number((Item[field] as { N?: string } | undefined)?.N ?? Item[field]);
  return { pair: '', failures: number('failures'), since: number('since'), last: number('last') };
}

/** @returns false where another sign-in was first */
async function begin(client: Client, table: string, row: Tries & { expiresAt: number }, before: Tries | null) {
  const unmoved = before
    ? {
        ConditionExpression: 'since = :since AND #last = :last',
        ExpressionAttributeNames: { '#last': 'last' },
        ExpressionAttributeValues: { ':since': before.since, ':last': before.last },
      }
    : { ConditionExpression: 'attribute_not_exists(pair)' };
  try {
    await client.send(new PutCommand({ TableName: table, Item: row, ...unmoved }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

/** After a sign-in of which nobody can say whether it would have succeeded. */
export async function giveBackTry(client: Client, table: string, tried: Tried): Promise<void> {
  await change(client, table, tried, 'SET failures = failures - :one', 'failures > :none', { ':one': 1, ':none': 0 });
}

/** After a success: the account's owner is at this address. */
export async function forgetTries(client: Client, table: string, tried: Tried): Promise<void> {
  const update = 'SET failures = :none, since = :none, #last = :none';
  await change(client, table, tried, update, 'attribute_exists(pair)', { ':none': 0 }, { '#last': 'last' });
}

/** Nothing where the condition does not hold. */
async function change(
  client: Client,
  TableName: string,
  tried: Tried,
  UpdateExpression: string,
  ConditionExpression: string,
  ExpressionAttributeValues: Record<string, number>,
  ExpressionAttributeNames?: Record<string, string>,
): Promise<void> {
  const Key = { pair: pairOf(tried) };
  const how = { UpdateExpression, ConditionExpression, ExpressionAttributeValues, ExpressionAttributeNames };
  try {
    await client.send(new UpdateCommand({ TableName, Key, ...how }));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
  }
}
