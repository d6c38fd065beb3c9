export type Range = { gt?: string; gte?: string; lt?: string; lte?: string; reverse?: boolean };

/**
 * A map that can be read in key order. The keys are one sorted array: an insertion moves at most a few hundred
 * kilobytes of pointers for a hundred thousand items, and a range needs no tree.
 */
export class SortedMap<V> {
  readonly #keys: string[];
  readonly #values: Map<string, V>;

  constructor(from?: SortedMap<V>) {
    this.#keys = from ? [...from.#keys] : [];
    this.#values = new Map(from ? from.#values : undefined);
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    if (!this.#values.has(key)) {
      const last = this.#keys.at(-1);
      if (last === undefined || last < key) this.#keys.push(key);
      else this.#keys.splice(this.#position(key), 0, key);
    }
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (this.#values.delete(key)) this.#keys.splice(this.#position(key), 1);
  }

  keys(): readonly string[] {
    return this.#keys;
  }

  /** Lazy: the caller must finish in the same turn of the event loop to see one state. */
  *range({ gt, gte, lt, lte, reverse }: Range): Generator<V> {
    const from = gt !== undefined ? this.#position(gt, true) : gte !== undefined ? this.#position(gte) : 0;
    const to =
      lt !== undefined ? this.#position(lt) : lte !== undefined ? this.#position(lte, true) : this.#keys.length;
    for (let i = 0; i < to - from; i++) {
      const value = this.#values.get(this.#keys[reverse ? to - 1 - i : from + i] ?? '');
      if (value !== undefined) yield value;
    }
  }

  /** The index of the first key that is not below `key` (or, with `after`, that is above it). */
  #position(key: string, after = false): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#keys[middle] ?? '';
      if (found < key || (after && found === key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
