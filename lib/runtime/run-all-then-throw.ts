import { isContention } from './failure.ts';

/** Some of the parts failed. The log shows an error's name. */
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
 * Runs the parts one after another, even if some of them fail.
 *
 * @throws after all parts: a single failure as it is, or for several an error with the parts' names. Contention with
 * another writer is thrown only if nothing else failed
 */
export async function runAllThenThrow(parts: readonly Part[] | AsyncIterable<Part>): Promise<void> {
  const failed: [string, unknown][] = [];
  try {
    for await (const [name, act] of parts) await act().catch((error: unknown) => failed.push([name, error]));
  } catch (error) {
    failed.push(['reading', error]);
  }
  const defects = failed.filter(([, error]) => !isContention(error));
  if (defects.length > 1) throw new PartsFailed(defects);
  const [first] = [...defects, ...failed];
  if (first) throw first[1];
}
