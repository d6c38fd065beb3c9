import { Worker } from 'node:worker_threads';
import type { Rebuild, Rebuilt } from './watch-worker.ts';

/** Bundles functions repeatedly, and reports which of them changed. */

export type Rebuilder = {
  /**
   * @param running the folders of the code that runs, by function
   * @returns the folders with new code by function, or the compiler's messages, ready to print
   */
  readonly rebuild: (running: Rebuild) => Promise<{ changed: Rebuild } | { errors: string }>;
  readonly close: () => Promise<void>;
};

/**
 * @param module the path of the product's module
 * @param outdir where new code goes
 */
export function startRebuilder(module: string, outdir: string): Rebuilder {
  const start = () => new Worker(new URL('./watch-worker.ts', import.meta.url), { workerData: { module, outdir } });
  let worker = start();
  // The thread may have imported half-written files, so the next build starts a new thread.
  let failed: Error | undefined;
  const onError = (error: Error) => {
    failed = error;
  };
  worker.once('error', onError);

  const ask = async (running: Rebuild): Promise<Rebuilt> => {
    if (failed) {
      failed = undefined;
      worker = start().once('error', onError);
    }
    const asked = worker;
    const { promise, resolve, reject } = Promise.withResolvers<Rebuilt>();
    const onExit = () => reject(new Error('the bundling ended'));
    asked.once('message', resolve).once('error', reject).once('exit', onExit);
    asked.postMessage(running);
    return promise.finally(() => asked.off('message', resolve).off('error', reject).off('exit', onExit));
  };
  return {
    rebuild: async (running) => {
      const result = await ask(running).catch((error: Error) => ({ errors: [error.message] }));
      return 'errors' in result ? { errors: result.errors.join('\n').trimEnd() } : result;
    },
    // esbuild's own process ends with the thread that holds its standard input.
    close: async () => {
      await worker.terminate();
    },
  };
}
