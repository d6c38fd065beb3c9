import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConflict } from './commit.ts';
import { isContention } from './failure.ts';
import type { Any, KeyIn, RowIn } from './table-handle.ts';

/** A row of a table, by its key. */
type Asking = readonly [table: Any<'get'>, key: KeyIn<Any<'get'>>];
type Wanted = readonly [Asking, ...Asking[]];
type Rows<W extends Wanted> = { -readonly [I in keyof W]: RowIn<W[I][0]> | null };

/**
 * Rows of several tables at one moment, at twice the units of reads.
 *
 * @returns null where a write meets this read: the write goes on, and the read is cancelled
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 */
export async function getTogether<const W extends Wanted>(wanted: W): Promise<Rows<W> | null> {
  const TransactItems = wanted.map(([{ name }, key]) => ({ Get: { TableName: name, Key: key } }));
  const read = wanted[0][0].client.send(new TransactGetCommand({ TransactItems }));
  const found = await unlessConflict(read, isContention, () => null);
  return found && (TransactItems.map((_, index) => found.Responses?.[index]?.Item ?? null) as Rows<W>);
}
