/** A list of the latest entries. Beyond `limit` it forgets the oldest ones. */
export type BoundedList<T> = {
  readonly add: (one: T) => void;
  /** Oldest first. */
  readonly list: (filter?: (one: T) => boolean) => T[];
};

export function openBoundedList<T>(limit: number): BoundedList<T> {
  let latest: T[] = [];
  return {
    add: (one) => {
      latest.push(one);
      // Drops many entries at once: each single shift would move all the others.
      if (latest.length >= 2 * limit) latest = latest.slice(-limit);
    },
    list: (filter = () => true) => latest.slice(-limit).filter(filter),
  };
}
