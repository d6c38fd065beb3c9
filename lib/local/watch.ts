import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProductPlace } from '../contract/declarations.ts';
import type { Environment } from '../contract/register.ts';
import type { Backend } from './backend.ts';
import { type Rebuilder, startRebuilder } from './rebuild.ts';
import { projectDir, synthesizeTemplate } from './synth.ts';
import { watchTree } from './watch-tree.ts';

/**
 * Follows the sources of a running stage. A changed function is bundled and replaced immediately. A changed input of
 * the template needs a synthesis of some seconds; until then the old template answers.
 */

export type Watcher = { readonly close: () => Promise<void> };

type Options = {
  readonly product: ProductPlace;
  readonly environment: Environment;
  /** What the running template was made from: paths below the project's root. */
  readonly templateInputs: readonly string[];
  readonly backend: Pick<Backend, 'model' | 'replaceCode' | 'adopt'>;
  readonly log: (line: string) => void;
};

/** An editor writes a file in several steps. */
const settleMs = 40;

const bundled = /^lib\/(contract|runtime)\//;
const sources = /^lib\/(bundle|contract|runtime|stack)\//;
const own = /^lib\/local\//;

export async function watchSources({ product, environment, templateInputs, backend, log }: Options): Promise<Watcher> {
  const isOfProduct = (path: string) => path.startsWith(`${product.folder}/`);
  const directory = await freshDirectory(join(projectDir, '.cache', 'watched'));
  let generation = 0;
  // As deep as the kept code: the depth is in the source maps, and these are in the names of the chunks.
  const fresh = () => startRebuilder(product.module, `${directory}-${generation++}`);
  let rebuilder: Rebuilder = fresh();
  /** Null after a synthesis that failed: a file that it could not find is no input yet. */
  let inputs: ReadonlySet<string> | null = new Set(templateInputs);
  let isClosed = false;
  const say = (line: string) => {
    if (!isClosed) log(line);
  };
  const running = () =>
    Object.fromEntries(backend.model().functions.map(({ operation, codeDir }) => [operation, codeDir]));
  const build = async () => {
    const result = await rebuilder.rebuild(running());
    if ('changed' in result) return result.changed;
    say(`the old code goes on, since the new does not compile:\n${result.errors}`);
    return null;
  };

  const rebuild = async () => {
    const began = performance.now();
    const changed = await build();
    for (const [operation, codeDir] of Object.entries(changed ?? {})) backend.replaceCode(operation, codeDir);
    const names = Object.keys(changed ?? {});
    if (names.length > 0) say(`replaced ${names.join(', ')} (${Math.round(performance.now() - began)} ms)`);
  };

  const resynthesize = async () => {
    say('a declaration or the stack changed: synthesizing …');
    const began = performance.now();
    inputs = null;
    try {
      const synthesis = await synthesizeTemplate(product, environment);
      await rebuilder.close();
      rebuilder = fresh();
      const folders = { ...running(), ...(await build()) };
      const codeOf = (operation: string) => {
        const folder = folders[operation];
        if (!folder) throw new Error(`${operation} has no code yet`);
        return folder;
      };
      const created = await backend.adopt({ directory: synthesis.directory, codeOf });
      const tables = created.length > 0 ? `, with new tables ${created.join(', ')}` : '';
      say(`the new template answers${tables} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      inputs = new Set(synthesis.inputs);
    } catch (error) {
      say(`the old template goes on: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  const due = { code: true, template: false };
  // One after the other: both use the rebuilder, and on two cores a parallel synthesis would delay the new code by seconds.
  const follow = once(async () => {
    const { code, template } = due;
    Object.assign(due, { code: false, template: false });
    if (code) await rebuild();
    if (template) await resynthesize();
  });

  const paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const settled = () => {
    const changed = [...paths];
    paths.clear();
    due.code ||= changed.some((path) => isOfProduct(path) || bundled.test(path));
    due.template ||= changed.some((path) => inputs?.has(path) ?? (isOfProduct(path) || sources.test(path)));
    if (due.code || due.template) void follow();
    if (changed.some((path) => own.test(path))) say('the local stage itself changed: start it again to run the change');
  };
  const tree = watchTree(projectDir, ['lib', product.folder], (path) => {
    if (!/\.(ts|mjs|json)$/.test(path)) return;
    paths.add(path);
    clearTimeout(timer);
    timer = setTimeout(settled, settleMs);
  });
  // The worker's first build takes longest, so it is done before anything changes.
  await follow();

  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      tree.close();
      await rebuilder.close();
      const folders = [directory, ...Array.from({ length: generation }, (_, index) => `${directory}-${index}`)];
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
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
