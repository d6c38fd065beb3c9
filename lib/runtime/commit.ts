import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention, isRefused, isRefusedAt, type Overtaken } from './failure.ts';
import type { TransactItem } from './rows.ts';

export type Items = readonly TransactItem[];

/**
 * Asks whether another writer was first. Most writes ask by `commit` or `succeedsUnlessConflict`.
 *
 * @param is `isContention` for a transaction, `isRefused` for one row: a function has only the code that it needs
 * @param otherwise what to return where another writer was first; nothing is written then
 * @throws what the SDK throws; then the outcome may be unknown
 */
export async function unlessConflict<T, O>(
  write: Promise<T>,
  is: (error: unknown) => error is Overtaken,
  otherwise: (error: Overtaken) => O | Promise<O>,
): Promise<T | O> {
  return write.catch((error: unknown) => {
    if (is(error)) return otherwise(error);
    throw error;
  });
}

/** @param write of one row, with a condition @returns false where another writer was first: nothing is written */
export function succeedsUnlessConflict(write: Promise<unknown>): Promise<boolean> {
  const written = write.then(() => true);
  return unlessConflict(written, isRefused, () => false);
}

/** Where the row of such an item has no number, or no set, as no honest function leaves it, `commit` does all else without it. */
export function counting(item: TransactItem): TransactItem {
  return { ...item, isCount: true };
}

/**
 * One transaction.
 *
 * @param token the same for the same decision: DynamoDB makes the changes once, also if the SDK sends them again after a lost answer
 * @returns false if another writer was first: nothing is written, and the decision must be made again
 * @throws what the SDK throws; then the outcome may be unknown
 */
export async function commit(items: Items, token: string = randomUUID()): Promise<boolean> {
  try {
    const written = transact(items, token).then(() => true);
    return await unlessConflict(written, isContention, () => false);
  } catch (error) {
    const left = items.filter(({ isCount }, at) => !isCount || !isRefusedAt(error, at, 'ValidationError'));
    if (left.length === items.length) throw error;
    return commit(left);
  }
}

/** `commit` for a caller that reads from the error which row another writer had changed. @throws what the SDK throws */
export async function transact(items: Items, token: string = randomUUID()): Promise<void> {
  const [first] = items;
  if (!first) throw new Error('a transaction needs an item');
  // The client adds the condition that an account is open: not all have it.
  if (items.some(({ client }) => client !== first.client)) throw new Error('a transaction has one client');
  const TransactItems = items.map(({ write }) => write);
  await first.client.send(new TransactWriteCommand({ ClientRequestToken: token, TransactItems }));
}
