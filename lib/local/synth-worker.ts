import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { functionEntries, writeSourceModules } from '../bundle/entries.ts';
import { folderIn } from '../bundle/folder-in.ts';
import { productAt } from '../bundle/product-at.ts';
import type { Environment } from '../contract/register.ts';

/** The thread of `synthesize`: it ends when the assembly is written, or with the error that stopped it. */

export type SynthesisOrder = {
  /** The path of the product's module, below the project's root. */
  readonly module: string;
  readonly environment: Environment;
  /** Where the assembly goes. */
  readonly outdir: string;
  readonly validates: boolean;
  readonly newStacks?: readonly string[] | undefined;
  /** The folder of each function's bundle; null for templates without code, beside which are modules that name the sources. */
  readonly bundles: Readonly<Record<string, string>> | null;
};

const { module, environment, outdir, validates, newStacks, bundles } = workerData as SynthesisOrder;

try {
  const { buildApp } = await import('../stack/app.ts');
  const codeOf = bundles && folderIn(new Map(Object.entries(bundles)));
  const product = await productAt(module);
  if (!bundles) writeSourceModules(functionEntries(product.declarations), join(outdir, '..', 'code'));
  const synthesize = () => buildApp({ module: product, environment, codeOf, outdir, validates, newStacks }).synth();
  // The CDK takes a stack trace for each of some thousand resources, which nobody reads here: a tenth of its time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    synthesize();
  } catch (error) {
    Error.stackTraceLimit = stackTraceLimit;
    // The same error, with its stack.
    rmSync(outdir, { recursive: true, force: true });
    synthesize();
    throw error;
  }
} catch (error) {
  await assertParses('lib/stack/app.ts');
  throw error;
}

/** Node names neither the file nor the line of a syntax error; esbuild throws an Error that shows both. */
async function assertParses(entry: string): Promise<void> {
  const { build } = await import('esbuild');
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
