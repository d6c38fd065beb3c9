import { parentPort, workerData } from 'node:worker_threads';
import { type BuildContext, build, context, formatMessages, type Metafile } from 'esbuild';
import { bundleOptions, type Entry, functionEntries } from '../bundle/bundle.ts';

/**
 * The thread that bundles while sources change. It knows the entry points of the time when it began, so a new route
 * needs a new thread, which reads the declarations again.
 */

/** The paths that changed, below the project's root. */
export type Rebuild = { readonly changed: readonly string[] };

/** The result: the functions that use the changed files, or the reason why there are none. */
export type Rebuilt =
  | { readonly bundles: readonly { readonly operation: string; readonly code: Uint8Array }[] }
  | { readonly errors: readonly string[] };

const { outdir } = workerData as { outdir: string };
const entries = functionEntries();
const contexts = new Map<string, Promise<BuildContext>>();

parentPort?.on('message', async ({ changed }: Rebuild) => parentPort?.postMessage(await rebuilt(changed)));

async function rebuilt(changed: readonly string[]): Promise<Rebuilt> {
  try {
    const reached = await entriesReachedBy(changed);
    const bundles = await Promise.all(
      reached.map(async (entry) => ({ operation: entry.name, code: await code(entry) })),
    );
    return { bundles };
  } catch (error) {
    const errors = error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
    if (errors.length === 0) return { errors: [error instanceof Error ? error.message : String(error)] };
    return { errors: await formatMessages(errors, { kind: 'error', color: false }) };
  }
}

/** One context for each function: minifying all of them together would take more than a second. */
async function code(entry: Entry): Promise<Uint8Array> {
  // Nothing is written here: a function must never start from a half-written file.
  const options = { ...bundleOptions({ outdir, entries: [entry] }), sourcemap: false, write: false } as const;
  const building = contexts.get(entry.name) ?? context({ ...options, logLevel: 'silent' });
  contexts.set(entry.name, building);
  const { outputFiles = [] } = await (await building).rebuild();
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`${entry.name} was not bundled`);
  return bundle.contents;
}

/** Without the packages, reading all functions' imports takes some 30 ms. */
async function entriesReachedBy(changed: readonly string[]): Promise<Entry[]> {
  const { metafile } = await build({
    ...bundleOptions({ outdir, entries }),
    packages: 'external',
    minify: false,
    sourcemap: false,
    write: false,
    logLevel: 'silent',
  });
  return entries.filter(({ file }) => {
    const reached = importsFrom(file, metafile);
    return changed.some((path) => reached.has(path));
  });
}

function importsFrom(file: string, { inputs }: Metafile): Set<string> {
  const reached = new Set([file]);
  // The iteration of a set also visits elements that are added during it.
  for (const path of reached) {
    for (const imported of inputs[path]?.imports ?? []) if (!imported.external) reached.add(imported.path);
  }
  return reached;
}
