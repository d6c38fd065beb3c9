import { type Coverage, nothingCovered, type Stand, type Violation, withSeeds } from '../../lib/explore/explore.ts';

/** Which broken promise shows a planted fault: not one that the code without the fault breaks, too. */

/** By scenario, the promises that are broken without a planted fault, and how. */
export type OpenFindings = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function isOpen(open: OpenFindings, { scenario, promise }: Pick<Violation, 'scenario' | 'promise'>): boolean {
  return promise in (open[scenario] ?? {});
}

/**
 * @param planted with the fault @param sound without it @returns the first violation that counts, and its seed. One that is open, or
 * that the code without the fault shows with this seed, does not count, and the search goes on behind it
 */
export async function firstFind(
  { planted, sound }: { readonly planted: Stand; readonly sound: Stand },
  seeds: readonly number[],
  coverage: Coverage,
  open: OpenFindings,
): Promise<{ readonly violation: Violation; readonly seed: number } | null> {
  for (let left = seeds; left.length > 0; ) {
    const broken = await withSeeds({ ...planted, steps: sound.steps }, left, coverage);
    if (!broken) return null;
    if (!isOpen(open, broken.violation) && !(await withSeeds(sound, [broken.seed], nothingCovered()))) return broken;
    left = left.slice(left.indexOf(broken.seed) + 1);
  }
  return null;
}
