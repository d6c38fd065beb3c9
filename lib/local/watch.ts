import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend } from './backend.ts';
import { type Rebuilder, startRebuilder } from './rebuild.ts';
import { projectDir, synthesize } from './synth.ts';
import { watchTree } from './watch-tree.ts';

/**
 * Follows the sources of a running stage. A changed function is bundled and replaced immediately. A changed input of
 * the template needs a synthesis of some seconds; until then the old template answers.
 */

export type Watcher = { readonly close: () => Promise<void> };

type Options = {
  readonly environment: string;
  readonly backend: Pick<Backend, 'model' | 'replaceCode' | 'adopt'>;
  readonly log: (line: string) => void;
};

/** An editor writes a file in several steps. */
const settleMs = 40;

const declarations = /^(lib\/(stack|bundle|contract)\/|functions\/domains\.ts$|functions\/[^/]+\/[^/]+\.ts$)/;
const bundled = /^(lib\/(contract|runtime)\/|functions\/)/;
const own = /^lib\/local\//;

export async function watchSources({ environment, backend, log }: Options): Promise<Watcher> {
  const directory = await freshDirectory(join(projectDir, '.cache', 'watched'));
  let generation = 0;
  const fresh = () => startRebuilder(join(directory, String(generation++)));
  let rebuilder: Rebuilder = fresh();
  let isOutdated = false;
  let isClosed = false;
  /** The paths that changed since they were last bundled. Paths that do not compile stay in the set. */
  const stale = new Set<string>();
  const savedMeanwhile = new Set<string>();
  const say = (line: string) => {
    if (!isClosed) log(line);
  };

  const rebuild = once(async () => {
    const began = performance.now();
    if (isOutdated) {
      isOutdated = false;
      await rebuilder.close();
      rebuilder = fresh();
    }
    const changed = [...stale];
    const result = await rebuilder.rebuild(changed, backend.model().functions);
    if ('errors' in result) return say(`the old code goes on, since the new does not compile:\n${result.errors}`);
    for (const path of changed) stale.delete(path);
    for (const [operation, codeDir] of result.replaced) backend.replaceCode(operation, codeDir);
    const names = [...result.replaced.keys()];
    if (names.length > 0) say(`replaced ${names.join(', ')} (${Math.round(performance.now() - began)} ms)`);
  });

  const resynthesize = once(async () => {
    say('a declaration or the stack changed: synthesizing …');
    savedMeanwhile.clear();
    try {
      const { directory, milliseconds } = await synthesize(environment);
      const created = await backend.adopt(directory);
      const tables = created.length > 0 ? `, with new tables ${created.join(', ')}` : '';
      say(`the new template answers${tables} (${(milliseconds / 1000).toFixed(1)} s)`);
    } catch (error) {
      return say(`the old template goes on: ${error instanceof Error ? error.message : String(error)}`);
    }
    isOutdated = true;
    // The synthesis bundled the sources as they were when it began.
    for (const path of savedMeanwhile) stale.add(path);
    await rebuild();
  });

  const paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const settled = () => {
    const changed = [...paths];
    paths.clear();
    for (const path of changed.filter((each) => bundled.test(each))) {
      stale.add(path);
      savedMeanwhile.add(path);
    }
    // One after the other: on two cores a parallel synthesis would delay the new code by seconds.
    const built = changed.some((path) => bundled.test(path)) ? rebuild() : Promise.resolve();
    if (changed.some((path) => declarations.test(path))) void built.then(resynthesize);
    if (changed.some((path) => own.test(path))) say('the local stage itself changed: start it again to run the change');
  };
  const tree = watchTree(projectDir, ['lib', 'functions'], (path) => {
    if (!/\.(ts|mjs|json)$/.test(path)) return;
    paths.add(path);
    clearTimeout(timer);
    timer = setTimeout(settled, settleMs);
  });
  // The worker's first build takes longest, so it is done before anything changes.
  await rebuild();

  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      tree.close();
      await rebuilder.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Makes a folder for this process, and deletes the folders of killed processes. */
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

/** Runs `work` only once at a time. Calls during a run lead to one more run after it. */
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
