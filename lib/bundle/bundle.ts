import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Metafile, OutputFile } from 'esbuild';
import { bundlerState } from './bundler-state.ts';
import type { Entry } from './entries.ts';
import { withEsbuild } from './esbuild.ts';
import { folderIn } from './folder-in.ts';
import { fileStates, findKept, makeKept } from './kept-folder.ts';
import { bundleOptions, inputsOf } from './options.ts';
import { root } from './root.ts';

/**
 * The bundles that are deployed: one self-contained file for each function, in a folder of its own. They have no source
 * map; `npm run cli -- trace` makes the map of one function.
 */

/** All functions in one build take 5 GB: esbuild keeps each of its outputs until the last one is printed. */
const groupSize = 16;

export type Bundles = {
  /** The folder with `index.mjs`, by the function's name. */
  readonly folders: ReadonlyMap<string, string>;
  /** How many were not kept. */
  readonly made: number;
};

/**
 * Makes what is not kept already.
 *
 * @param directory where the bundles are kept, below the functions' names
 */
export async function bundleFunctions(
  entries: readonly Entry[],
  directory = join(root, '.cache', 'bundles'),
): Promise<Bundles> {
  const began = Date.now();
  const state = bundlerState();
  const keep = (entry: Entry) => ({
    directory: join(directory, entry.name),
    salt: `${state} ${JSON.stringify(entry)}`,
    count: 2,
  });
  const folders = new Map<string, string>();
  const missing: Entry[] = [];
  const kept = fileStates();
  for (const entry of entries) {
    const found = await findKept({ ...keep(entry), states: kept });
    if (found) folders.set(entry.name, join(found.folder, 'code'));
    else missing.push(entry);
  }
  const built: { entry: Entry; code: Uint8Array; inputs: readonly string[] }[] = [];
  if (missing.length > 0)
    await withEsbuild(async () => {
      for await (const { group, code, metafile } of groups(missing)) {
        for (const entry of group) built.push({ entry, code: code(entry), inputs: inputsOf(entry.name, metafile) });
      }
    });
  const states = fileStates();
  for (const { entry, code, inputs } of built) {
    const write = async (folder: string) => {
      await mkdir(join(folder, 'code'));
      await writeFile(join(folder, 'code', 'index.mjs'), code);
      return inputs;
    };
    const { folder } = await makeKept({ ...keep(entry), states }, began, write);
    folders.set(entry.name, join(folder, 'code'));
  }
  // In the entries' order, whatever was made: the template's key has this list.
  const inOrder = entries.map(({ name }) => [name, folderIn(folders)(name)] as const);
  return { folders: new Map(inOrder), made: missing.length };
}

/** Some functions in one build. A bundle does not depend on its neighbours: no build splits them. */
export async function bundleGroup(entries: readonly Entry[]) {
  const options = { ...bundleOptions(entries), outdir: root, write: false } as const;
  const { outputFiles, metafile } = await withEsbuild(({ build }) => build(options));
  const byName = new Map(outputFiles.map((file) => [relative(root, dirname(file.path)), file]));
  const code = ({ name }: Pick<Entry, 'name'>): Uint8Array => {
    const file: OutputFile | undefined = byName.get(name);
    if (!file) throw new Error(`${name} was not bundled`);
    return file.contents;
  };
  return { code, metafile };
}

async function* groups(entries: readonly Entry[]) {
  for (let index = 0; index < entries.length; index += groupSize) {
    const group = entries.slice(index, index + groupSize);
    yield { group, ...(await bundleGroup(group)) };
  }
}

/** Writes `<outdir>/<name>/index.mjs` for each function, for tests and benchmarks. */
export async function bundle({ outdir, entries }: { outdir: string; entries: readonly Entry[] }): Promise<Metafile> {
  const whole: Metafile = { inputs: {}, outputs: {} };
  for await (const { group, code, metafile } of groups(entries)) {
    Object.assign(whole.inputs, metafile.inputs);
    Object.assign(whole.outputs, metafile.outputs);
    for (const entry of group) {
      await mkdir(join(outdir, entry.name), { recursive: true });
      await writeFile(join(outdir, entry.name, 'index.mjs'), code(entry));
    }
  }
  return whole;
}
