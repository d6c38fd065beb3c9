import { type Item, type LevelOperation, newLevel, type TableDescription } from './dynalite.ts';
import type { Entry, StreamState } from './stream-log.ts';
import type { Streams } from './streams.ts';
import { type Settings, Table } from './table.ts';
import type { StoredTables } from './view.ts';

/** The answer of an applied transaction, by its ClientRequestToken. `until` is in milliseconds since 1970. */
export type Receipt = { hash: string; until: number };

/**
 * The data on disk. All data is also in memory. LevelDB is written afterwards, in commit order, and an answer waits
 * until all data that it may depend on is written. A commit is within one LevelDB batch, so a crash leaves all of it or
 * nothing. (A power failure may take the last commits, never a part of one: LevelDB's log is not synced at each batch.)
 */
export type Journal = {
  append(operations: LevelOperation[]): void;
  /** Resolves once everything appended so far is written. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

// No table name contains '~'.
export const tableKey = (name: string): string => `t~${name}`;
export const itemKey = (table: string, key: string): string => `i~${table}~${key}`;
export const receiptKey = (token: string): string => `r~${token}`;

export const memory: Journal = {
  append() {},
  settled: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

export async function openJournal(
  folder: string,
  { tables, receipts, streams }: { tables: StoredTables; receipts: Map<string, Receipt>; streams: Streams },
): Promise<Journal> {
  const level = newLevel(folder);
  try {
    await level.open();
  } catch (error) {
    throw new Error(`The data folder ${folder} cannot be opened; is another local stage using it?`, { cause: error });
  }
  const found: Array<[string, Receipt]> = [];
  const items: Array<[string, Item]> = [];
  const logs: StreamState[] = [];
  const entries = new Map<string, Entry[]>();
  for await (const [key, value] of level.iterator()) {
    if (key.startsWith('i~')) items.push([key, value as Item]);
    else if (key.startsWith('r~')) found.push([key.slice(2), value as Receipt]);
    else if (key.startsWith('s~')) logs.push(value as StreamState);
    else if (key.startsWith('e~')) {
      const arn = key.slice(2, key.indexOf('~', 2));
      const known = entries.get(arn);
      if (known) known.push(value as Entry);
      else entries.set(arn, [value as Entry]);
    } else {
      const { description, settings } = value as { description: TableDescription; settings: Settings };
      tables.set(description.TableName, new Table(description, settings));
    }
  }
  for (const [key, item] of items) {
    const end = key.indexOf('~', 2);
    tables.get(key.slice(2, end))?.apply(key.slice(end + 1), item);
  }
  for (const state of logs) streams.restore(state, entries.get(state.arn) ?? [], tables.get(state.tableName));
  // The engine drops expired receipts from the front of the map, so the oldest come first.
  for (const [token, receipt] of found.sort(([, a], [, b]) => a.until - b.until)) receipts.set(token, receipt);

  let waiting: LevelOperation[] = [];
  let tail: Promise<void> = Promise.resolve();
  return {
    append(operations) {
      waiting.push(...operations);
      // While one batch is being written, later commits collect for the next one.
      tail = tail.then(async () => {
        const batch = waiting;
        waiting = [];
        if (batch.length > 0) await level.batch(batch);
      });
      // Every later answer awaits this promise and fails with it. This handler only keeps it from counting as
      // unhandled.
      tail.catch(() => {});
    },
    settled: () => tail,
    async close() {
      await tail.catch(() => {});
      await level.close();
    },
  };
}
