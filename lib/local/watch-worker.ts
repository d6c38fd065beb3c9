import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type BuildFailure, type BuildResult, context, formatMessages, type OutputFile } from 'esbuild';
import { chunkOptions } from '../bundle/chunks.ts';
import { functionEntries } from '../bundle/entries.ts';
import { productAt } from '../bundle/product-at.ts';

/**
 * The thread that bundles while sources change. It knows the entry points of the time when it began, so a new route
 * needs a new thread, which reads the declarations again.
 */

/** The folders of the code that runs, by function. */
export type Rebuild = Readonly<Record<string, string>>;

/** The folders of the functions whose code changed, or the reason why there are none. */
export type Rebuilt = { readonly changed: Rebuild } | { readonly errors: readonly string[] };

const { module, outdir } = workerData as { module: string; outdir: string };
const entries = functionEntries((await productAt(module)).declarations);
const names = entries.map(({ name }) => name);
const building = chunkOptions(entries).then((options) =>
  context({ ...options, outdir, write: false, logLevel: 'silent' }),
);
/** The files of the build before, by path. */
let before = new Map<string, string>();
let builds = 0;

parentPort?.on('message', async (running: Rebuild) => parentPort?.postMessage(await rebuilt(running)));

async function rebuilt(running: Rebuild): Promise<Rebuilt> {
  try {
    return { changed: await writeChanged(await (await building).rebuild(), running) };
  } catch (error) {
    const { errors = [] } = error as Partial<BuildFailure>;
    if (errors.length === 0) return { errors: [error instanceof Error ? error.message : String(error)] };
    return { errors: await formatMessages(errors, { kind: 'error', color: false }) };
  }
}

/**
 * The name of a chunk has the hash of its content, so a function whose own file is the same has the same code. A changed one
 * gets a new folder: a function must never start from a half-written file.
 */
async function writeChanged({ outputFiles = [] }: BuildResult, running: Rebuild): Promise<Rebuild> {
  builds += 1;
  const changed: Record<string, string> = {};
  const now = new Map(outputFiles.map(({ path, hash }) => [path, hash]));
  const fileAt = new Map(outputFiles.map((file) => [file.path, file]));
  const isNew = ({ path, hash }: OutputFile) => before.get(path) !== hash;
  await Promise.all(
    outputFiles
      .filter(({ path }) => path.includes('/chunks/'))
      .filter(isNew)
      .map(write),
  );
  for (const name of names) {
    const file = fileAt.get(join(outdir, name, 'index.mjs'));
    if (!file || !isNew(file) || (await isSame(file, running[name]))) continue;
    const folder = join(outdir, `${name}~${builds}`);
    for (const ending of ['', '.map']) {
      const found = fileAt.get(`${file.path}${ending}`);
      if (found) await write({ ...found, path: join(folder, `index.mjs${ending}`) });
    }
    changed[name] = folder;
  }
  before = now;
  return changed;
}

async function write({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}

async function isSame({ contents }: OutputFile, folder: string | undefined): Promise<boolean> {
  if (folder === undefined) return false;
  return readFile(join(folder, 'index.mjs')).then(
    (running) => running.equals(contents),
    () => false,
  );
}
