import { revisionOf } from '../../../lib/contract/revision.ts';

/** Which generation is read, and which one a rebuild counts into beside it. Each has a greater number than those before. */
export type Generations = { readonly current: number; readonly counting: number | null };

const noneYet: Generations = { current: 1, counting: null };

/** Others may write the row, too: without whole numbers it counts as none. */
export function generationsOf(row: { readonly current?: unknown; readonly counting?: unknown } | null): Generations {
  const { current, counting } = row ?? {};
  return isGeneration(current) && (counting === null || isGeneration(counting)) ? { current, counting } : noneYet;
}

function isGeneration(number: unknown): number is number {
  return revisionOf(number) === number;
}

/**
 * By a step that nobody can foresee. So nobody can have planted rows of that generation. Of an interrupted rebuild others may know the
 * number: the next one counts into another.
 *
 * @param uuid a random one (version 4)
 */
export function nextAfter(
  { current, counting }: Generations,
  uuid: string,
): Generations & { readonly counting: number } {
  const step = Number.parseInt(uuid.slice(-10), 16) + 1;
  return { current, counting: Math.max(current, counting ?? 0) + step };
}
