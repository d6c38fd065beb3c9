import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FunctionModel } from './model.ts';
import type { Rebuilt } from './watch-worker.ts';

/** Bundles functions again and again, and tells which of them changed. */

export type Rebuilder = {
  /** @returns the folders with new code by operation; or the compiler's messages, ready to print */
  readonly rebuild: (
    running: readonly FunctionModel[],
  ) => Promise<{ changed: Map<string, string> } | { errors: string }>;
  readonly close: () => Promise<void>;
};

/** @param directory Where new code goes; each build gets a folder of its own below it. */
export function startRebuilder(directory: string): Rebuilder {
  const outdir = join(directory, 'out');
  const worker = new Worker(new URL('./watch-worker.ts', import.meta.url), { workerData: { outdir } });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => undefined);
  let builds = 0;

  const ask = async (): Promise<Rebuilt> => {
    const answered = new Promise<Rebuilt>((resolve) => worker.once('message', resolve));
    worker.postMessage('rebuild');
    return Promise.race([answered, failed]);
  };
  return {
    rebuild: async (running) => {
      const result = await ask().catch((error: Error) => ({ errors: [error.message] }));
      if ('errors' in result) return { errors: result.errors.join('\n').trimEnd() };
      builds += 1;
      const folder = join(directory, String(builds));
      const changed = new Map<string, string>();
      for (const { operation, codeDir } of running) {
        const bundled = result.files.filter(({ path }) => path.startsWith(join(outdir, operation, '/')));
        const code = bundled.find(({ path }) => path.endsWith('.mjs'))?.contents;
        if (changed.has(operation) || !code || (await isSame(code, join(codeDir, 'index.mjs')))) continue;
        changed.set(operation, join(folder, operation));
        await mkdir(join(folder, operation), { recursive: true });
        await Promise.all(
          bundled.map(({ path, contents }) => writeFile(join(folder, path.slice(outdir.length + 1)), contents)),
        );
      }
      return { changed };
    },
    // esbuild's own process ends with the thread that holds its standard input.
    close: async () => {
      await worker.terminate();
    },
  };
}

async function isSame(code: Uint8Array, file: string): Promise<boolean> {
  const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
  return readFile(file).then(
    (running) => digest(running) === digest(code),
    () => false,
  );
}
