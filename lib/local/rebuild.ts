import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FunctionModel } from './model.ts';
import type { Rebuild, Rebuilt } from './watch-worker.ts';

/** Bundles functions repeatedly, and reports which of them changed. */

export type Rebuilder = {
  /**
   * @param changed Paths below the project's root.
   * @returns the folders with new code by operation, or the compiler's messages, ready to print
   */
  readonly rebuild: (
    changed: readonly string[],
    running: readonly FunctionModel[],
  ) => Promise<{ replaced: Map<string, string> } | { errors: string }>;
  readonly close: () => Promise<void>;
};

/** @param directory Where new code goes; each build gets a folder of its own below it. */
export function startRebuilder(directory: string): Rebuilder {
  const start = () => new Worker(new URL('./watch-worker.ts', import.meta.url), { workerData: { outdir: directory } });
  let worker = start();
  let builds = 0;
  // The thread may have imported half-written files, so the next build starts a new thread.
  let failed: Error | undefined;
  const onError = (error: Error) => {
    failed = error;
  };
  worker.once('error', onError);

  const ask = async (changed: readonly string[]): Promise<Rebuilt> => {
    if (failed) {
      failed = undefined;
      worker = start().once('error', onError);
    }
    const asked = worker;
    const { promise, resolve, reject } = Promise.withResolvers<Rebuilt>();
    const onExit = () => reject(new Error('the bundling ended'));
    asked.once('message', resolve).once('error', reject).once('exit', onExit);
    asked.postMessage({ changed } satisfies Rebuild);
    return promise.finally(() => asked.off('message', resolve).off('error', reject).off('exit', onExit));
  };
  return {
    rebuild: async (changed, running) => {
      const result = await ask(changed).catch((error: Error) => ({ errors: [error.message] }));
      if ('errors' in result) return { errors: result.errors.join('\n').trimEnd() };
      builds += 1;
      const replaced = new Map<string, string>();
      for (const { operation, code } of result.bundles) {
        const current = running.find((fn) => fn.operation === operation);
        if (!current || (await isSame(code, join(current.codeDir, 'index.mjs')))) continue;
        const codeDir = join(directory, String(builds), operation);
        await mkdir(codeDir, { recursive: true });
        await writeFile(join(codeDir, 'index.mjs'), code);
        replaced.set(operation, codeDir);
      }
      return { replaced };
    },
    // esbuild's own process ends with the thread that holds its standard input.
    close: async () => {
      await worker.terminate();
    },
  };
}

async function isSame(code: Uint8Array, file: string): Promise<boolean> {
  return readFile(file).then(
    (running) => running.equals(code),
    () => false,
  );
}
