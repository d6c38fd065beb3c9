import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { keptFolder } from '../bundle/kept-folder.ts';
import { productAt } from '../bundle/product-at.ts';
import { reachedFrom } from '../bundle/reached.ts';
import { root as projectDir } from '../bundle/root.ts';
import type { ProductLocation } from '../contract/declarations.ts';
import type { Environment } from '../contract/register.ts';
import type { SynthesisOrder } from './synth-worker.ts';
import type { StageFiles } from './template/stage-model.ts';

/** The synthesized template of an environment, from the cache if no input changed. */

export { projectDir };

export type Synthesis = StageFiles & {
  /** What the template was made from: paths below the project's root. */
  readonly inputs: readonly string[];
  readonly isCached: boolean;
  readonly milliseconds: number;
};

export type SynthesisOptions = {
  readonly cacheDir?: string;
  /** Whether the functions are the bundles that a deployment uploads. */
  readonly asDeployed?: boolean;
  /** Whether the templates are validated, too, as `AppOptions` says: for a deployment. */
  readonly validates?: boolean;
  /** As `AppOptions` says. */
  readonly newStacks?: readonly string[];
  /** Called once or more when only the CDK's thread and esbuild's process have work left, so that the caller can use this thread. */
  readonly onUnderWay?: (() => void) | undefined;
};

const cache = join(projectDir, '.cache');

/**
 * Makes the stacks, and the bundles or the modules that name the functions' sources. The CDK runs in a separate thread. It is not loaded
 * when nothing changed; a changed handler changes no template.
 *
 * @throws an Error with the compiler's or the construct's message.
 */
export async function synthesize(
  product: ProductLocation,
  environment: Environment,
  options: SynthesisOptions = {},
): Promise<Synthesis> {
  const { cacheDir = cache, asDeployed = false, validates = false, newStacks, onUnderWay = () => undefined } = options;
  const began = performance.now();
  const milliseconds = () => Math.round(performance.now() - began);
  if (asDeployed) {
    const { bundleFunctions } = await import('../bundle/bundle.ts');
    const { functionEntries } = await import('../bundle/entries.ts');
    const { declarations } = await productAt(product.module);
    const { folders, made } = await bundleFunctions(functionEntries(declarations), join(cacheDir, 'bundles'));
    const bundles = Object.fromEntries(folders);
    const order = { module: product.module, environment, validates, newStacks, bundles };
    const stacks = await template(cacheDir, order, onUnderWay);
    return { ...stacks, isCached: stacks.isCached && made === 0, milliseconds: milliseconds() };
  }
  const stacks = await template(
    cacheDir,
    { module: product.module, environment, validates: false, bundles: null },
    onUnderWay,
  );
  const codeOf = (operation: string) => join(stacks.directory, '..', 'code', operation);
  return { ...stacks, codeOf, milliseconds: milliseconds() };
}

/** @param onUnderWay called when the thread has begun, if it is needed */
async function template(cacheDir: string, order: Omit<SynthesisOrder, 'outdir'>, onUnderWay = () => {}) {
  const keep = {
    directory: join(cacheDir, 'stages', order.environment),
    salt: `${JSON.stringify(order)} ${process.version} ${projectDir}`,
  };
  const { folder, inputs, isKept } = await keptFolder(keep, async (aside) => {
    const written = inWorker({ ...order, outdir: join(aside, 'assembly') });
    onUnderWay();
    const [reached] = await Promise.all([
      reachedFrom('lib/stack/app.ts', 'lib/bundle/entries.ts', order.module),
      written,
    ]);
    // What npm has installed, which can differ from the lock file.
    return [...reached, 'node_modules/.package-lock.json', 'cdk.json', 'bin/app.ts'];
  });
  return { directory: join(folder, 'assembly'), inputs, isCached: isKept };
}

function inWorker(workerData: SynthesisOrder): Promise<void> {
  const { PATH, HOME, TMPDIR } = process.env;
  const worker = new Worker(new URL('./synth-worker.ts', import.meta.url), {
    workerData,
    // The shell's AWS and CDK variables must not leak into a template whose cache key is only its sources.
    env: { PATH, HOME, TMPDIR, CDK_DISABLE_STACK_TRACE: '1' },
  });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the synthesis ended with code ${code}`)),
    );
  });
}
