import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Limit, limitsOf, readStageModel } from '../lib/local/index.ts';

/** How much of an account's quotas an environment's templates use. */
export type Demand = {
  readonly limits: readonly Limit[];
  /** The size of the functions before they are zipped. */
  readonly codeBytes: number;
};

/** @param directory the cloud assembly */
export function demandOf(directory: string): Demand {
  return {
    limits: limitsOf(directory),
    codeBytes: readStageModel({ directory }).functions.reduce((sum, { codeDir }) => sum + bytesIn(codeDir), 0),
  };
}

/** The most that one of them has: `paths of ` for the API with the most. */
export function mostOf({ limits }: Demand, kind: string): number {
  return Math.max(0, ...limits.flatMap(({ what, found }) => (what.startsWith(kind) ? [found] : [])));
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
