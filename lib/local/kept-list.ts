/** The latest of what happened: beyond `limit` the oldest are forgotten. */
export type KeptList<T> = {
  readonly keep: (one: T) => void;
  /** Oldest first. */
  readonly list: (filter?: (one: T) => boolean) => T[];
};

export function openKeptList<T>(limit: number): KeptList<T> {
  let kept: T[] = [];
  return {
    keep: (one) => {
      kept.push(one);
      // In bulk: to shift each one would move all the others.
      if (kept.length >= 2 * limit) kept = kept.slice(-limit);
    },
    list: (filter = () => true) => kept.slice(-limit).filter(filter),
  };
}
