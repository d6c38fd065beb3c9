import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { commit } from '../../../lib/runtime/commit.ts';
import { keyedHash, seal, unseal } from '../../../lib/runtime/keyed.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { next, type Tries, windowMs } from '../rules/lock.ts';
import type { Packed, Pending } from '../rules/session.ts';

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

/** Sign-ins of one account from one address follow one another. */
const retries = 12;

export type Locked = { readonly outcome: 'locked'; readonly lockedUntil: string };

/** Outcomes of a sign-in and of a change of the password. */
const whole: readonly string[] = ['tokens', 'changed'];
const failed: readonly string[] = ['refused', 'wrong-code'];

type Counted = Tried & { readonly dynamo: Client; readonly table: string };

/**
 * One try of an account's password or second factor from an address. It counts as failed while it is under way. If `ask` throws,
 * nobody has compared the password or the code, and the try is given back. Only a success as a whole clears the count. After a right
 * password whose second factor is still to come, this try is given back, and the others stay: else whoever knows the password could
 * clear the count of wrong codes by it, and guess codes without end.
 */
export async function tryCounted<Said extends { readonly outcome: string }>(
  { dynamo, table, ...tried }: Counted,
  ask: () => Promise<Said>,
): Promise<Said | Locked> {
  const lockedUntil = await takeSignInTry(dynamo, table, tried, new Date());
  if (lockedUntil !== null) return { outcome: 'locked', lockedUntil };
  let said: Said;
  try {
    said = await ask();
  } catch (error) {
    await giveBackTry(dynamo, table, tried).catch(() => undefined);
    throw error;
  }
  if (whole.includes(said.outcome)) await forgetTries(dynamo, table, tried);
  else if (!failed.includes(said.outcome)) await giveBackTry(dynamo, table, tried);
  return said;
}

/**
 * Counts a sign-in as failed before it is tried, so that of whatever is tried at once ten get through; `forgetTries` after a
 * success takes it back. The function declares `read`, `append` and `adjust` of the table, or `write`.
 *
 * @returns until when no more is tried; null where this one may be
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
async function takeSignInTry(client: Client, table: string, tried: Tried, realNow: Date): Promise<string | null> {
  const pair = pairOf(tried);
  return retryOnContention(
    async () => {
      const before = await readTries(client, table, pair);
      const taken = next(pair, before, realNow.getTime());
      if ('lockedUntil' in taken) return taken.lockedUntil;
      return (await putTries(client, table, taken.tries, before)) ? null : contended;
    },
    { retries },
  );
}

/** After a try that was no failure. */
async function giveBackTry(client: Client, table: string, tried: Tried): Promise<void> {
  await change(client, table, pairOf(tried), ({ failures }) => Math.max(0, failures - 1));
}

/** After a success: the account's owner is at this address. */
export async function forgetTries(client: Client, table: string, tried: Tried): Promise<void> {
  await change(client, table, pairOf(tried), () => 0);
}

const sealUse = 'sign-in tries of a session';

/** For a sign-in whose second factor is still to come. It opens only with this session of Cognito's, which is of one user. */
export function sealedTries(tried: Tried, { session }: Pending): string {
  return seal(tried.secret, sealUse, pairOf(tried), session);
}

/**
 * After a second factor that was right: the tries under the name with which the sign-in began. Codes count under the account's id.
 * It never fails, since a right code works once: at the worst the count stays until its time is over.
 */
export async function forgetSealedTries(
  { dynamo, table, secret }: Pick<Counted, 'dynamo' | 'table' | 'secret'>,
  { session, tries }: Packed,
): Promise<void> {
  if (tries === undefined) return;
  try {
    await change(dynamo, table, unseal(secret, sealUse, tries, session), () => 0);
  } catch {
    // Altered, or of another session: nothing is cleared. Or the row cannot be written.
  }
}

async function change(
  client: Client,
  table: string,
  pair: string,
  failuresOf: (tries: Tries) => number,
): Promise<void> {
  await retryOnContention(
    async () => {
      const before = await readTries(client, table, pair);
      if (!before || before.failures === 0) return null;
      const after = { ...before, failures: failuresOf(before), revision: before.revision + 1 };
      return (await putTries(client, table, after, before)) ? null : contended;
    },
    { retries },
  );
}

/** Strongly consistent; null before the first. */
async function readTries(client: Client, table: string, pair: string): Promise<Tries | null> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { pair }, ConsistentRead: true }));
  return (Item as Tries | undefined) ?? null;
}

/** @returns false where another sign-in was first */
async function putTries(client: Client, TableName: string, tries: Tries, before: Tries | null): Promise<boolean> {
  const unmoved = before
    ? { ConditionExpression: 'revision = :revision', ExpressionAttributeValues: { ':revision': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(pair)' };
  const Item = { ...tries, expiresAt: Math.ceil((tries.last + windowMs) / 1000) };
  // In a transaction: only there a write is refused once the account is closed.
  return commit(client, [{ Put: { TableName, Item, ...unmoved } }]);
}
