/** Pseudo-random numbers that follow from a text: xmur3 for the seed and sfc32 for the numbers (both in the public domain). */

export type Random = () => number;

/** @returns a function that gives numbers from 0 to below 1 */
export function randomOf(seed: string): Random {
  let h = 1_779_033_703 ^ seed.length;
  for (let index = 0; index < seed.length; index += 1) {
    h = Math.imul(h ^ seed.charCodeAt(index), 3_432_918_353);
    h = (h << 13) | (h >>> 19);
  }
  const next = () => {
    h = Math.imul(h ^ (h >>> 16), 2_246_822_507);
    h = Math.imul(h ^ (h >>> 13), 3_266_489_909);
    h ^= h >>> 16;
    return h >>> 0;
  };
  let [a, b, c, d] = [next(), next(), next(), next()];
  return () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
}

/** @returns a whole number from 0 to below `below` */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}
