import { commit, type Items } from './commit.ts';
import { ifRevision } from './conditions.ts';
import { type Incoming, type Stamp, type Verdict, verdictOn } from './last-write-wins.ts';
import { contended, retryOnContention } from './retry-on-contention.ts';
import { get, put } from './rows.ts';
import type { Action, Any, Holding } from './table-handle.ts';

/** Rows that are written by the rules of `last-write-wins.ts`. */

export type RowHandle<Row, A extends Action = 'get' | 'put'> = {
  readonly table: Any<A> & Holding<Row>;
  readonly key: Readonly<Record<string, string>>;
};

type Write<Row extends Stamp> = {
  readonly incoming: Incoming;
  readonly now: Date;
  /**
   * The row to be written, without its key, and further items of the transaction. Called only if the row is to be written.
   *
   * @throws a Failure where the existing row does not allow the write
   */
  readonly rowOf: (stamp: Stamp, current: Row | null) => Promise<{ row: Omit<Row, keyof Stamp>; also?: Items }>;
};

export type Latest<Row> = { readonly outcome: Verdict['outcome']; readonly row: Row | null };

/** Strongly consistent. It may return a tombstone. */
export async function readLatest<Row extends Stamp>({ table, key }: RowHandle<Row, 'get'>): Promise<Row | null> {
  const row: object | null = await get(table as Any<'get'>, key);
  return row as Row | null;
}

/**
 * Writes a phone's row if the rules of `last-write-wins.ts` decide so. The route declares `read` and `append` on the table.
 *
 * @returns the row after the call
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts, and every error of `rowOf`
 */
export async function putLastWrite<Row extends Stamp>(
  handle: RowHandle<Row>,
  { incoming, now, rowOf }: Write<Row>,
): Promise<Latest<Row>> {
  return retryOnContention(async () => {
    const current = await readLatest(handle);
    const verdict = verdictOn(current, incoming, now);
    if (verdict.outcome !== 'written') return { outcome: verdict.outcome, row: current };
    const { row: content, also = [] } = await rowOf(verdict.stamp, current);
    const row = { ...content, ...verdict.stamp } as Row;
    const written = put(handle.table, { ...handle.key, ...row }, stillIs(current, handle));
    const isWritten = await commit([written, ...also]);
    return isWritten ? { outcome: 'written', row } : contended;
  });
}

/** The condition that the row has not changed since it was read. */
export function stillIs(current: Pick<Stamp, 'revision'> | null, { key }: Pick<RowHandle<unknown>, 'key'>) {
  const [name = ''] = Object.keys(key);
  return ifRevision(name, current?.revision);
}
