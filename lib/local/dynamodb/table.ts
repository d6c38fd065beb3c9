import { db, type IndexDescription, type Item, type Json, type TableDescription } from './dynalite.ts';
import { SortedMap } from './sorted-map.ts';
import type { StreamLog } from './stream-log.ts';

/** A table's settings besides its description; stored with it. */
export type Settings = {
  timeToLive?: { Enabled: boolean; AttributeName: string };
  pointInTimeRecovery?: boolean;
  policy?: { Policy: string; RevisionId: string };
  tags?: Record<string, string>;
};

/** One table: its items and the entries of its indexes, always changed together. */
export class Table {
  readonly description: TableDescription;
  readonly settings: Settings;
  readonly items: SortedMap<Item>;
  /** Gets the table's changes while its stream is enabled. */
  stream?: StreamLog;
  readonly #indexes = new Map<string, SortedMap<Item>>();

  constructor(description: TableDescription, settings: Settings = {}, from?: Table) {
    this.description = description;
    this.settings = settings;
    this.items = new SortedMap(from?.items);
    for (const { IndexName } of this.indexDescriptions()) {
      this.#indexes.set(IndexName, new SortedMap(from?.index(IndexName)));
    }
  }

  /** The same items now; later changes of one do not reach the other. Items themselves are never changed. */
  copy(): Table {
    return new Table(this.description, this.settings, this);
  }

  indexDescriptions(): IndexDescription[] {
    const { LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] } = this.description;
    return [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes];
  }

  index(name: string): SortedMap<Item> | undefined {
    return this.#indexes.get(name);
  }

  /** Stores the item at its key, or deletes it. */
  apply(key: string, item: Item | undefined): void {
    const before = this.items.get(key);
    for (const index of this.indexDescriptions()) {
      const entries = this.#indexes.get(index.IndexName);
      if (before) entries?.delete(this.#entryKey(index, before, key));
      if (item && hasKeys(index, item)) entries?.set(this.#entryKey(index, item, key), this.#project(index, item));
    }
    if (item) this.items.set(key, item);
    else this.items.delete(key);
  }

  addIndex(index: IndexDescription): void {
    const entries = new SortedMap<Item>();
    for (const key of this.items.keys()) {
      const item = this.items.get(key);
      if (item && hasKeys(index, item)) entries.set(this.#entryKey(index, item, key), this.#project(index, item));
    }
    this.#indexes.set(index.IndexName, entries);
    this.description.GlobalSecondaryIndexes = [...(this.description.GlobalSecondaryIndexes ?? []), index];
  }

  dropIndex(name: string): void {
    this.#indexes.delete(name);
    const others = this.description.GlobalSecondaryIndexes?.filter((index) => index.IndexName !== name);
    if (others?.length) this.description.GlobalSecondaryIndexes = others;
    else delete this.description.GlobalSecondaryIndexes;
  }

  describe(): Json {
    return { ...this.description, ItemCount: this.items.size };
  }

  /**
   * dynalite distinguishes items under one index key by 24 bits of a hash and so loses some. The whole key loses none.
   */
  #entryKey(index: IndexDescription, item: Item, key: string): string {
    return hasKeys(index, item) ? `${db.createIndexKey(item, this.description, index.KeySchema)}/${key}` : '';
  }

  #project(index: IndexDescription, item: Item): Item {
    if (index.Projection.ProjectionType === 'ALL') return item;
    const keys = [...this.description.KeySchema, ...index.KeySchema].map((key) => key.AttributeName);
    const projected = new Set([...keys, ...(index.Projection.NonKeyAttributes ?? [])]);
    return Object.fromEntries(Object.entries(item).filter(([name]) => projected.has(name)));
  }
}

function hasKeys(index: IndexDescription, item: Item): boolean {
  return index.KeySchema.every((key) => item[key.AttributeName] != null);
}
