import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend } from './backend.ts';
import { type Rebuilder, startRebuilder } from './rebuild.ts';
import { projectDir, synthesize } from './synth.ts';

/**
 * Follows the sources of a running stage. What is bundled is replaced at once; what the template follows from takes a
 * synthesis, some seconds, during which the old template answers.
 */

export type Watcher = { readonly close: () => Promise<void> };

type Options = {
  readonly environment: string;
  readonly backend: Pick<Backend, 'model' | 'replaceCode' | 'adopt'>;
  readonly log: (line: string) => void;
};

/** An editor writes a file in several steps. */
const settleMs = 40;

const declarations = /^(lib\/(stack|contract)\/|functions\/domains\.ts$|functions\/[^/]+\/routes\.ts$)/;
const bundled = /^(lib\/(contract|runtime)\/|functions\/)/;
const own = /^lib\/local\//;

export async function watchSources({ environment, backend, log }: Options): Promise<Watcher> {
  const directory = await freshDirectory(join(projectDir, '.cache', 'watched'));
  let generation = 0;
  const fresh = () => startRebuilder(join(directory, String(generation++)));
  let rebuilder: Rebuilder = fresh();

  const rebuild = once(async () => {
    const began = performance.now();
    const result = await rebuilder.rebuild(backend.model().functions);
    if ('errors' in result) return log(`the old code goes on, since the new does not compile:\n${result.errors}`);
    for (const [operation, codeDir] of result.changed) backend.replaceCode(operation, codeDir);
    const names = [...result.changed.keys()];
    if (names.length > 0) log(`replaced ${names.join(', ')} (${Math.round(performance.now() - began)} ms)`);
  });

  const resynthesize = once(async () => {
    log('a declaration or the stack changed: synthesizing …');
    try {
      const { directory, milliseconds } = await synthesize(environment);
      const created = await backend.adopt(directory);
      const tables = created.length > 0 ? `, with new tables ${created.join(', ')}` : '';
      log(`the new template answers${tables} (${(milliseconds / 1000).toFixed(1)} s)`);
    } catch (error) {
      return log(`the old template goes on: ${error instanceof Error ? error.message : String(error)}`);
    }
    const before = rebuilder;
    rebuilder = fresh();
    await Promise.all([before.close(), rebuild()]);
  });

  const paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const settled = () => {
    const changed = [...paths];
    paths.clear();
    if (changed.some((path) => bundled.test(path))) void rebuild();
    if (changed.some((path) => declarations.test(path))) void resynthesize();
    if (changed.some((path) => own.test(path))) log('the local stage itself changed: start it again to run the change');
  };
  const watchers = ['lib', 'functions'].map((folder) =>
    watch(join(projectDir, folder), { recursive: true }, (_, file) => {
      // Editors' own files: .swp, 4913, file~
      if (!file || !/\.(ts|mjs|json|md)$/.test(file)) return;
      paths.add(join(folder, file).replaceAll('\\', '/'));
      clearTimeout(timer);
      timer = setTimeout(settled, settleMs);
    }),
  );
  // The first build takes longest, so it is done before anything changes.
  await rebuild();
  log('watching lib/ and functions/');

  return {
    close: async () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      await rebuilder.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A folder for this process; those of processes that were killed go. */
async function freshDirectory(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const abandoned = (await readdir(parent)).filter((name) => !isAlive(Number(name.split('-')[0])));
  await Promise.all(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  return mkdtemp(join(parent, `${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is alive.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Runs `work` one at a time; calls during a run make one more after it. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    again ??= running
      .catch(() => undefined)
      .then(() => {
        again = undefined;
        return run();
      });
    return again;
  };
}
