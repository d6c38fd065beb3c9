import Stream from 'node:stream';
import {
  actionOf,
  type Callback,
  db,
  type Failure,
  type Item,
  type Json,
  options,
  type TableDescription,
} from './dynalite.ts';
import { failure } from './failures.ts';
import type { Range, SortedMap } from './sorted-map.ts';
import type { Table } from './table.ts';

export type StoredTables = Map<string, Table>;
/** `isExpiry`: the table's time to live deletes the item. */
export type Write = { table: Table; key: string; item: Item | undefined; isExpiry?: boolean };

/**
 * The store that dynalite's actions use during one call. They read the current tables, and their writes are only
 * recorded. All callbacks are synchronous, so a write runs from start to end in one turn of the event loop and no other
 * call can intervene. This isolates both single writes and transactions.
 */
export class View {
  readonly writes: Write[] = [];
  readonly options = options;
  readonly #tables: StoredTables;
  readonly #startKey: Item | undefined;

  constructor(tables: StoredTables, startKey?: Item) {
    this.#tables = tables;
    this.#startKey = startKey;
  }

  getTable(name: string, checkStatus: boolean | Callback<TableDescription>, then?: Callback<TableDescription>): void {
    const done = typeof checkStatus === 'function' ? checkStatus : then;
    const table = this.#tables.get(name);
    if (table) done?.(null, table.description);
    else done?.(noSuchTable());
  }

  getItemDb(name: string): object {
    const table = tableNamed(this.#tables, name);
    const note = (key: string, item: Item | undefined, done: Callback<void>) => {
      this.writes.push({ table, key, item });
      done(null);
    };
    return {
      lock: (_key: string, then: (release: <T>(done: T) => T) => void) => then((done) => done),
      get: (key: string, done: Callback<Item>) => done(null, table.items.get(key)),
      put: note,
      del: (key: string, done: Callback<void>) => note(key, undefined, done),
      createValueStream: (range: Range) => stream(table.items, range),
    };
  }

  getIndexDb(_type: string, tableName: string, name: string): object {
    const table = tableNamed(this.#tables, tableName);
    return {
      // The table keeps its indexes itself when the write is applied.
      put: (_key: string, _item: Item, done: Callback<void>) => done(null),
      del: (_key: string, done: Callback<void>) => done(null),
      createValueStream: (range: Range) => {
        const entries = table.index(name);
        if (!entries) throw new Error(`No index ${name}`);
        return stream(
          entries,
          this.#startKey ? afterStart(range, db.createKey(this.#startKey, table.description)) : range,
        );
      },
    };
  }
}

export function tableNamed(tables: StoredTables, name: string): Table {
  const table = tables.get(name);
  if (!table) throw noSuchTable();
  return table;
}

function noSuchTable(): Failure {
  return failure('ResourceNotFoundException', 'Requested resource not found');
}

/**
 * Runs one of dynalite's actions. A write's answer is ready when this returns; a query's answer comes a microtask
 * later.
 */
export function run(action: string, data: Json, view: View): Promise<Json> {
  return new Promise((resolve, reject) => {
    actionOf(action)(view, data, (error, output) => (error ? reject(error) : resolve(output ?? {})));
  });
}

/** Runs a write whose answer must be ready in the same turn. */
export function runNow(action: string, data: Json, view: View): Json {
  let answer: { error: Failure | null; output?: Json } | undefined;
  actionOf(action)(view, data, (error, output) => {
    answer = { error, ...(output ? { output } : {}) };
  });
  if (!answer) throw new Error(`${action} did not answer in one turn`);
  if (answer.error) throw answer.error;
  return answer.output ?? {};
}

/** dynalite starts an index page after 24 bits of a hash of the table's key. Our entries have the key itself there. */
function afterStart(range: Range, key: string): Range {
  if (range.reverse) return { ...range, lt: `${range.lt}/${key}` };
  return { ...range, gt: `${range.gt}/${key}` };
}

function stream(entries: SortedMap<Item>, range: Range): Stream {
  let open = true;
  const source = Object.assign(new Stream(), {
    destroy: () => {
      open = false;
    },
  });
  queueMicrotask(() => {
    try {
      for (const item of entries.range(range)) {
        source.emit('data', item);
        if (!open) break;
      }
      source.emit('end');
    } catch (error) {
      source.emit('error', error);
    }
  });
  return source;
}
