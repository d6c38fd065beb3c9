import { timingSafeEqual } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import { keyedDigits, keyedHash } from '../../../lib/runtime/keyed.ts';
import type { CodeRow } from '../rules/code.ts';
import type { Sent } from '../rules/limit.ts';

/** Table `MailRecords`, and what is made with the secret `MailKey`. */

type Client = DynamoDBDocumentClient;

export function sentKey(secret: string, address: string): string {
  return `sent#${keyedHash(secret, 'mail address', address)}`;
}

export function codeKey(secret: string, kind: string, address: string): string {
  return `code#${kind}#${keyedHash(secret, 'mail address', address)}`;
}

/** The same mail has the same code each time that the queue brings it. */
export function drawn(secret: string, mailId: string, digits: number): string {
  return keyedDigits(secret, 'mail code', mailId, digits);
}

export function hashOfCode(secret: string, mailRecord: string, code: string): string {
  return keyedHash(secret, 'mail code hash', `${mailRecord}#${code}`);
}

/** Strongly consistent. */
export async function readRow<T>(client: Client, table: string, mailRecord: string): Promise<T | null> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { mailRecord }, ConsistentRead: true }));
  return (Item as T | undefined) ?? null;
}

/** @returns false where another mail to the address was counted meanwhile */
export async function putCounted(
  client: Client,
  table: string,
  { sent, before, code }: { sent: Sent | null; before: Sent | null; code: CodeRow | null },
): Promise<boolean> {
  const unmoved = before
    ? { ConditionExpression: 'revision = :revision', ExpressionAttributeValues: { ':revision': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(mailRecord)' };
  const items = [
    ...(sent ? [{ Put: { TableName: table, Item: sent, ...unmoved } }] : []),
    ...(code ? [{ Put: { TableName: table, Item: code } }] : []),
  ];
  if (items.length === 0) return true;
  try {
    await client.send(new TransactWriteCommand({ TransactItems: items }));
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}

const leaseMs = 60_000;
const dayMs = 86_400_000;

/** @returns `mine`: nobody else sends it for a minute; `sent`: it is done; `taken`: somebody is at it */
export async function claim(
  client: Client,
  table: string,
  mailId: string,
  now: Date,
): Promise<'mine' | 'sent' | 'taken'> {
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { mailRecord: `mail#${mailId}` },
        UpdateExpression: 'SET leasedUntil = :until, expiresAt = :expiresAt',
        ConditionExpression:
          'attribute_not_exists(sentAt) AND (attribute_not_exists(leasedUntil) OR leasedUntil < :now)',
        ExpressionAttributeValues: {
          ':until': now.getTime() + leaseMs,
          ':now': now.getTime(),
          ':expiresAt': Math.ceil((now.getTime() + 14 * dayMs) / 1000),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return 'mine';
  } catch (error) {
    const { name, Item } = error as { name?: string; Item?: Record<string, unknown> };
    if (name !== 'ConditionalCheckFailedException') throw error;
    return Item && 'sentAt' in Item ? 'sent' : 'taken';
  }
}

export async function markSent(client: Client, table: string, mailId: string, now: Date): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: table,
      Key: { mailRecord: `mail#${mailId}` },
      UpdateExpression: 'SET sentAt = :now',
      ExpressionAttributeValues: { ':now': now.toISOString() },
    }),
  );
}

/** Gives the mail back at once, so that the next attempt need not wait for the lease. */
export async function release(client: Client, table: string, mailId: string): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: table,
      Key: { mailRecord: `mail#${mailId}` },
      UpdateExpression: 'REMOVE leasedUntil',
    }),
  );
}

/** Takes a try before anybody knows whether the code is right, so that of whatever is tried at once five count. Null: none is left. */
export async function takeTry(client: Client, table: string, mailRecord: string, now: Date): Promise<CodeRow | null> {
  try {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { mailRecord },
        UpdateExpression: 'SET triesLeft = triesLeft - :one',
        ConditionExpression: 'triesLeft > :none AND validUntil > :now',
        ExpressionAttributeValues: { ':one': 1, ':none': 0, ':now': now.toISOString() },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return (Attributes as CodeRow | undefined) ?? null;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null;
    throw error;
  }
}

/** After what it was for is done. @returns false where another mail took its place, or it was used up before */
export async function useUp(
  client: Client,
  table: string,
  { mailRecord, mailId }: Pick<CodeRow, 'mailRecord' | 'mailId'>,
): Promise<void> {
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { mailRecord },
        UpdateExpression: 'SET triesLeft = :none',
        ConditionExpression: 'mailId = :mailId',
        ExpressionAttributeValues: { ':none': 0, ':mailId': mailId },
      }),
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
  }
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
