import { parentPort, workerData } from 'node:worker_threads';
import { context, formatMessages } from 'esbuild';
import { bundleOptions } from '../stack/bundle.ts';

/**
 * The thread that bundles while sources change: it knows the entry points as they were when it began, so that a new route
 * takes a new thread, which sees the declarations anew.
 */

/** What comes back for each message. */
export type Rebuilt =
  | { readonly files: readonly { readonly path: string; readonly contents: Uint8Array; readonly hash: string }[] }
  | { readonly errors: readonly string[] };

const { outdir } = workerData as { outdir: string };
// Nothing is written here: a function must never start from a half-written file.
const building = await context({ ...bundleOptions({ outdir }), write: false, logLevel: 'silent' });

parentPort?.on('message', async () => parentPort?.postMessage(await rebuilt()));

async function rebuilt(): Promise<Rebuilt> {
  try {
    const { outputFiles } = await building.rebuild();
    return { files: outputFiles.map(({ path, contents, hash }) => ({ path, contents, hash })) };
  } catch (error) {
    const errors = error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
    if (errors.length === 0) return { errors: [error instanceof Error ? error.message : String(error)] };
    return { errors: await formatMessages(errors, { kind: 'error', color: false }) };
  }
}
