import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure, isContention } from '../../../lib/runtime/failure.ts';
import { type Changes, comparableEmail, type Erased, emailKey, isErased, type User } from '../rules/profile.ts';

/**
 * Table `Users`. A user's row is under the `userId`. Under `email#…` stands whose an address is, in the same transaction:
 * a look-up then reads what is, where an index would lag behind; and the address itself is in no key, since CloudTrail
 * records keys. Of an erased user a row with `erasedAt` is left, so that a token that is still valid makes none again.
 */

/** Strongly consistent, as is every read here: what a user changed is there when it is read again. */
export async function readUser(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<User | Erased | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  return (found.Item as User | Erased | undefined) ?? null;
}

/** @returns false where there is a row already: another request was first, or the user was erased */
export async function createUser(client: DynamoDBDocumentClient, table: string, user: User): Promise<boolean> {
  const { application, email, userId } = user;
  try {
    await client.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: table, Item: user, ConditionExpression: 'attribute_not_exists(userId)' } },
          // Without a condition: the pool keeps addresses unique, so that who is made last has it.
          ...(email === null ? [] : [{ Put: { TableName: table, Item: emailRow(application, email, userId) } }]),
        ],
      }),
    );
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}

/** Times that a user is looked for again when another request was first but is not done yet. */
const attempts = 5;

/**
 * The caller's row, which is made at the first sight of the caller.
 *
 * @param make asks the user pool who this is; called at the first sight alone
 * @returns null for an erased user
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function meetUser(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  make: () => Promise<User>,
  pause: (attempt: number) => Promise<unknown> = (attempt) => sleep(Math.random() * 20 * 2 ** attempt),
): Promise<User | null> {
  let made: User | undefined;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const found = await readUser(client, table, userId);
    if (found) return isErased(found) ? null : found;
    made ??= await make();
    if (await createUser(client, table, made)) return made;
    await pause(attempt);
  }
  throw new Failure(Unavailable);
}

/** @returns null, and nothing changed, where there is no such user or an erased one */
export async function updateUser(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  changes: Changes,
): Promise<User | null> {
  const fields = Object.entries(changes);
  if (fields.length === 0) {
    const found = await readUser(client, table, userId);
    return found && !isErased(found) ? found : null;
  }
  try {
    const updated = await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { userId },
        UpdateExpression: `SET ${fields.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(userId) AND attribute_not_exists(erasedAt)',
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return updated.Attributes as User;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null;
    throw error;
  }
}

/** The application's user with that address, in any case. */
export async function findByEmail(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  email: string,
): Promise<User | null> {
  const key = { userId: emailKey(application, email) };
  const owner = await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  if (!owner.Item) return null;
  const user = await readUser(client, table, String(owner.Item.owner));
  // The row of an address may outlive what it says: the user's own row decides.
  if (!user || isErased(user) || user.application !== application || user.email === null) return null;
  return comparableEmail(user.email) === comparableEmail(email) ? user : null;
}

function emailRow(application: string, email: string, owner: string) {
  return { userId: emailKey(application, email), owner };
}
