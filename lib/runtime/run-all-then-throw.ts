import { isContention } from './failure.ts';

/** Some of the parts failed; a log gets an error's name. */
class PartsFailed extends Error {
  override readonly name: string;

  constructor(failed: readonly (readonly [string, unknown])[]) {
    super();
    const names = failed.map(([part, error]) => `${part} ${error instanceof Error ? error.name : typeof error}`);
    this.name = `PartsFailed: ${[...new Set(names)].join(', ')}`;
  }
}

export type Part = readonly [name: string, act: () => Promise<void>];

/**
 * Does each part in turn, whatever becomes of the others.
 *
 * @throws what failed, after all others: the one failure as it is, of more than one their names. What only met another
 * writer counts where nothing else failed
 */
export async function runAllThenThrow(parts: readonly Part[]): Promise<void> {
  const failed: [string, unknown][] = [];
  for (const [name, act] of parts) {
    try {
      await act();
    } catch (error) {
      failed.push([name, error]);
    }
  }
  const defects = failed.filter(([, error]) => !isContention(error));
  if (defects.length > 1) throw new PartsFailed(defects);
  const [first] = [...defects, ...failed];
  if (first) throw first[1];
}
