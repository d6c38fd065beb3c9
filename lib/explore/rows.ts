import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { equal } from '../local/dynamodb/conditions.ts';
import { check, db, type Item, type Json, type TableDescription } from '../local/dynamodb/dynalite.ts';
import { failure } from '../local/dynamodb/failures.ts';
import { orderedText, read, writeOne } from '../local/dynamodb/items.ts';
import { type Entry, entryOf } from '../local/dynamodb/stream-log.ts';
import { Table } from '../local/dynamodb/table.ts';
import { expiredIn } from '../local/dynamodb/time-to-live.ts';
import { checkTransaction, evaluateTransaction, transactGet } from '../local/dynamodb/transactions.ts';
import { run, type StoredTables, View, type Write } from '../local/dynamodb/view.ts';

/**
 * The tables of a schedule, in memory: what the local stage's engine decides, on tables of which every earlier state is kept.
 * A snapshot costs nothing, since a write copies its table.
 */

export type DeclaredTable = {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly stream?: true;
  readonly expires?: true;
};

/** One change in the stream of a table, in commit order. */
export type Change = { readonly table: string; readonly number: number; readonly entry: Entry };

/** One row that a commit changed, in a table with a stream or without. Rows of one commit have one number. */
export type Written = {
  readonly table: string;
  readonly commit: number;
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
};

export type RowsState = {
  readonly tables: StoredTables;
  /** Every state of the tables so far, the oldest first. */
  readonly history: readonly StoredTables[];
  readonly changes: readonly Change[];
  readonly receipts: ReadonlyMap<string, unknown>;
};

const arnPrefix = 'arn:aws:dynamodb:eu-central-1:000000000000:table/';

export class Rows {
  #tables: StoredTables;
  #history: StoredTables[];
  #changes: Change[];
  #receipts: Map<string, unknown>;
  readonly #written: Written[] = [];
  readonly #now: () => number;

  constructor(state: RowsState, now: () => number) {
    this.#tables = state.tables;
    this.#history = [...state.history];
    this.#changes = [...state.changes];
    this.#receipts = new Map(state.receipts);
    this.#now = now;
  }

  static empty(declared: readonly DeclaredTable[]): RowsState {
    const tables: StoredTables = new Map(declared.map((each) => [each.name, tableOf(each)]));
    return { tables, history: [tables], changes: [], receipts: new Map() };
  }

  /** The state now; it never changes. Its own history begins here. */
  snapshot(): RowsState {
    return {
      tables: this.#tables,
      history: [this.#tables],
      changes: [...this.#changes],
      receipts: new Map(this.#receipts),
    };
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Since the start of the story, in commit order. */
  get written(): readonly Written[] {
    return this.#written;
  }

  /** How many different earlier states the tables of a read had, from the newest to the oldest; the state now does not count. */
  earlier(names: readonly string[]): readonly number[] {
    const found: number[] = [];
    let last = this.#history.length - 1;
    for (let index = last - 1; index >= 0; index -= 1) {
      const [newer, older] = [this.#history[last], this.#history[index]];
      if (names.some((name) => newer?.get(name) !== older?.get(name))) {
        found.push(index);
        last = index;
      }
    }
    return found;
  }

  /**
   * Answers one call as DynamoDB does.
   *
   * @param asOf an earlier state, for an eventually consistent read
   * @throws a Failure of lib/local/dynamodb
   */
  async execute(action: string, input: Json, asOf?: number): Promise<Json> {
    const tables = asOf === undefined ? this.#tables : (this.#history[asOf] ?? this.#tables);
    switch (action) {
      case 'GetItem':
      case 'Query':
      case 'Scan':
      case 'BatchGetItem':
        return read(action, input, tables);
      case 'TransactGetItems':
        return transactGet(input, tables);
      case 'TransactWriteItems':
        return this.#transact(input);
      case 'BatchWriteItem': {
        const view = new View(this.#tables);
        const output = await run(action, check(action, input), view);
        this.#commit(view.writes);
        return output;
      }
      case 'PutItem':
      case 'UpdateItem':
      case 'DeleteItem': {
        const { output, writes } = writeOne(action, input, this.#tables);
        this.#commit(writes);
        return output;
      }
      default:
        throw failure('com.amazon.coral.service#UnknownOperationException', action);
    }
  }

  /** Deletes what has expired. @returns the number of rows */
  expire(now: number): number {
    const writes = expiredIn(this.#tables, now, () => true);
    this.#commit(writes);
    return writes.length;
  }

  expirable(now: number): boolean {
    return expiredIn(this.#tables, now, () => true).length > 0;
  }

  /** @param keys the row, or its keys @param asOf an earlier state */
  find(name: string, keys: Json, asOf?: number): { id: string; item: Item | undefined } | null {
    const table = (asOf === undefined ? this.#tables : (this.#history[asOf] ?? this.#tables)).get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    if (table.description.KeySchema.some(({ AttributeName }) => keys[AttributeName] === undefined)) return null;
    const key = db.createKey(keys as Item, table.description);
    return { id: `${name} ${key}`, item: table.items.get(key) };
  }

  items(name: string): Item[] {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    return table.items.keys().map((key) => table.items.get(key) as Item);
  }

  /** Every change of a table without a stream, from its history; what was there at the start is first. */
  changesOf(name: string): { before: Item | null; after: Item | null }[] {
    const found: { before: Item | null; after: Item | null }[] = [];
    let last: Table | undefined;
    for (const tables of this.#history) {
      const next = tables.get(name);
      if (!next || next === last) continue;
      const keys = new Set([...(last?.items.keys() ?? []), ...next.items.keys()]);
      for (const key of keys) {
        const [before = null, after = null] = [last?.items.get(key), next.items.get(key)] as (Item | undefined)[];
        if (before !== after) found.push({ before, after });
      }
      last = next;
    }
    return found;
  }

  /** The same for tables with the same items. */
  hash(): string {
    return JSON.stringify([[...this.#tables.values()].map(hashOf), [...this.#receipts.keys()].sort()]);
  }

  #transact(input: Json): Json {
    const transaction = checkTransaction(input);
    const { token } = transaction;
    const receipt = token === undefined ? undefined : this.#receipts.get(token);
    if (receipt !== undefined) {
      if (isDeepStrictEqual(receipt, input.TransactItems)) return {};
      throw failure('IdempotentParameterMismatchException', '');
    }
    const { writes } = evaluateTransaction(transaction, this.#tables);
    if (token) this.#receipts.set(token, input.TransactItems);
    this.#commit(writes);
    return {};
  }

  #commit(writes: readonly Write[]): void {
    if (writes.length === 0) return;
    const tables: StoredTables = new Map(this.#tables);
    const copied = new Set<string>();
    for (const { table, key, item, isExpiry } of writes) {
      const name = table.description.TableName;
      const before = tables.get(name)?.items.get(key);
      if (before === item || (before && item && equal({ M: before }, { M: item }))) continue;
      const own = copied.has(name) ? (tables.get(name) as Table) : table.copy();
      copied.add(name);
      tables.set(name, own);
      if (table.description.StreamSpecification) {
        const stream = { viewType: 'NEW_AND_OLD_IMAGES' as const, keySchema: table.description.KeySchema };
        const entry = entryOf(stream, { before, after: item, ...(isExpiry && { isExpiry }) }, this.#now());
        this.#changes.push({ table: name, number: this.#changes.length + 2, entry });
      }
      this.#written.push({ table: name, commit: this.#history.length, key, before, after: item });
      own.apply(key, item);
    }
    if (copied.size === 0) return;
    this.#tables = tables;
    this.#history.push(tables);
  }
}

/** A table never changes once another state follows. */
const hashes = new WeakMap<Table, string>();

function hashOf(table: Table): string {
  const known = hashes.get(table);
  if (known !== undefined) return known;
  const rows = table.items.keys().map((key) => [key, table.items.get(key)]);
  const made = hash('sha1', orderedText([...rows]));
  hashes.set(table, made);
  return made;
}

function tableOf({ name, partitionKey, sortKey, stream, expires }: DeclaredTable): Table {
  const keys = sortKey ? [partitionKey, sortKey] : [partitionKey];
  const description: TableDescription = {
    TableName: name,
    TableArn: arnPrefix + name,
    TableStatus: 'ACTIVE',
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
    ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 },
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } }),
  };
  return new Table(description, expires ? { timeToLive: { Enabled: true, AttributeName: 'expiresAt' } } : {});
}
