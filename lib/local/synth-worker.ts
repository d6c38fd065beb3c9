import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { build } from 'esbuild';
import { environmentNamed } from '../contract/deployments.ts';

/** The thread of `synthesize`: it ends when the assembly is written, or with the error that stopped it. */

/** Milliseconds. Bundling and loading the CDK overlap, so the sum of the two exceeds the total time. */
export type SynthesisTimes = {
  readonly bundling: number;
  /** Includes loading the CDK. */
  readonly synthesis: number;
};

const { environment, directory, validates } = workerData as {
  environment: string;
  directory: string;
  validates: boolean;
};
const functionsDir = join(directory, 'functions');
const outdir = join(directory, 'assembly');

try {
  const { bundle } = await import('../bundle/bundle.ts');
  // esbuild bundles in a process of its own while this thread loads the CDK, which takes seconds.
  const [[{ buildApp }, loading], [, bundling]] = await Promise.all([
    timed(import('../stack/app.ts')),
    timed(bundle({ outdir: functionsDir })),
  ]);
  const began = performance.now();
  buildApp({ environment: environmentNamed(environment), functionsDir, outdir, validates }).synth();
  const times: SynthesisTimes = { bundling, synthesis: loading + performance.now() - began };
  parentPort?.postMessage(times);
} catch (error) {
  await assertParses('lib/stack/app.ts');
  throw error;
}

async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  return [await work, performance.now() - began];
}

/** Node names neither the file nor the line of a syntax error; esbuild throws an Error that shows both. */
async function assertParses(entry: string): Promise<void> {
  const absWorkingDir = join(import.meta.dirname, '..', '..');
  const entryPoints = [entry];
  await build({
    absWorkingDir,
    entryPoints,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
}
