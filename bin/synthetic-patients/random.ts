import { createHash } from 'node:crypto';

/** Random numbers from a seed. They are the same on every machine, and a patient's numbers do not depend on other patients. */
export type Random = {
  /** In [0, 1). */
  readonly next: () => number;
  /** A whole number; both ends are included. */
  readonly whole: (from: number, to: number) => number;
  /** Normally distributed. */
  readonly normal: (mean: number, deviation: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(of: readonly [T, ...T[]]) => T;
};

/** The generator sfc32 (PractRand), which starts from a hash of the seed. */
export function randomOf(seed: string): Random {
  const hash = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  return {
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    // The sum of twelve has variance 1. A logarithm is not used, because its last digit differs between machines.
    normal: (mean, deviation) => {
      let sum = -6;
      for (let drawn = 0; drawn < 12; drawn += 1) sum += next();
      return mean + deviation * sum;
    },
    chance: (probability) => next() < probability,
    pick: (of) => of[Math.floor(next() * of.length)] ?? of[0],
  };
}

export function within(value: number, from: number, to: number): number {
  return Math.min(Math.max(value, from), to);
}
