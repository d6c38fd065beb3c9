import { join, sep } from 'node:path';
import type { ProductLocation } from '../contract/declarations.ts';
import type { Environment } from '../contract/register.ts';
import type { Backend } from './backend.ts';
import { projectDir, synthesize } from './synth.ts';

/**
 * Follows the sources of a running stage. A changed function is loaded anew immediately. A changed input of
 * the template needs a synthesis of some seconds; until then the old template answers.
 */

export type Watcher = { readonly close: () => Promise<void> };

type Options = {
  readonly product: ProductLocation;
  readonly environment: Environment;
  /** What the running template was made from: paths below the project's root. */
  readonly templateInputs: readonly string[];
  readonly backend: Pick<Backend, 'reload' | 'adopt'>;
  readonly log: (line: string) => void;
};

/** An editor writes a file in several steps. */
const settleMs = 40;

const loaded = /^lib\/(contract|runtime)\//;
const sources = /^lib\/(bundle|contract|runtime|stack)\//;
const own = /^lib\/local\//;

export async function watchSources({ product, environment, templateInputs, backend, log }: Options): Promise<Watcher> {
  const isOfProduct = (path: string) => path.startsWith(`${product.folder}/`);
  /** Null after a synthesis that failed: a file that it could not find is no input yet. */
  let inputs: ReadonlySet<string> | null = new Set(templateInputs);
  let isClosed = false;
  const say = (line: string) => {
    if (!isClosed) log(line);
  };
  const changed = new Set<string>();

  const reload = async () => {
    const began = performance.now();
    const files = [...changed];
    // What is saved again meanwhile is due again.
    changed.clear();
    const result = await backend.reload(files.map((path) => join(projectDir, path)));
    if ('error' in result) {
      for (const file of files) changed.add(file);
      return say(`the old code goes on, since the new does not compile:\n${result.error.trimEnd()}`);
    }
    const names = result.replaced;
    if (names.length > 0) say(`replaced ${names.join(', ')} (${Math.round(performance.now() - began)} ms)`);
  };

  const resynthesize = async () => {
    say('a declaration or the stack changed: synthesizing …');
    const began = performance.now();
    inputs = null;
    try {
      const { inputs: read, ...files } = await synthesize(product, environment);
      const created = await backend.adopt(files);
      const tables = created.length > 0 ? `, with new tables ${created.join(', ')}` : '';
      say(`the new template answers${tables} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      inputs = new Set(read);
    } catch (error) {
      say(`the old template goes on: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  const due = { code: true, template: false };
  let isFollowing = false;
  // One after the other: on two cores a parallel synthesis would delay the new code by seconds.
  const follow = async () => {
    if (isFollowing) return;
    isFollowing = true;
    try {
      while (due.code || due.template) {
        const { code, template } = due;
        Object.assign(due, { code: false, template: false });
        if (code) await reload();
        if (template) await resynthesize();
      }
    } finally {
      isFollowing = false;
    }
  };

  const paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const settled = () => {
    const written = [...paths];
    paths.clear();
    for (const path of written) if (isOfProduct(path) || loaded.test(path)) changed.add(path);
    due.code ||= changed.size > 0;
    due.template ||= written.some((path) => inputs?.has(path) ?? (isOfProduct(path) || sources.test(path)));
    void follow();
    if (written.some((path) => own.test(path))) say('the local stage itself changed: start it again to run the change');
  };
  // Loaded here: most stages watch nothing.
  const { watch } = await import('chokidar');
  const tree = watch(['lib', product.folder], { cwd: projectDir, ignoreInitial: true, followSymlinks: false });
  tree.on('error', (error) => say(`a change may go unseen: ${String(error)}`));
  tree.on('all', (_, path) => {
    if (!/\.(ts|mjs|json)$/.test(path)) return;
    paths.add(path.replaceAll(sep, '/'));
    clearTimeout(timer);
    timer = setTimeout(settled, settleMs);
  });
  await new Promise<void>((resolve) => void tree.once('ready', resolve));
  // The first look takes longest, as it loads everything, so it is done before anything changes.
  await backend.reload([]);

  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await tree.close();
    },
  };
}
