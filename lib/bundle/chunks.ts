import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { bundlerState } from './bundler-state.ts';
import type { Entry } from './entries.ts';
import { withEsbuild } from './esbuild.ts';
import { type Kept, keptFolder } from './kept-folder.ts';
import { productAt } from './product-at.ts';
import { ownFiles, reachedFrom } from './reached.ts';

/**
 * The functions' code on the local stage: one build, in which functions share chunks. Each function's module is
 * `<name>/index.mjs`, and each file has its source map beside it. Made by the same plugins as the bundles that are deployed,
 * in a tenth of the time; `npm start -- --as-deployed` runs those instead.
 */

/** Where a build of chunks writes an entry: one folder below the chunks' parent, wherever that is. */
export async function chunkOptions(entries: readonly Entry[]) {
  const { bundleOptions } = await import('./options.ts');
  return {
    ...bundleOptions(entries),
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: 'external',
    sourcesContent: false,
  } as const satisfies BuildOptions;
}

/**
 * @param productModule the path of the product's module, below the project's root
 * @param onUnderWay called when esbuild has begun, or is not needed
 * @throws esbuild's error, whose message names what does not compile
 */
export function bundleInChunks(productModule: string, cacheDir: string, onUnderWay = () => {}): Promise<Kept> {
  const keep = { directory: join(cacheDir, 'code'), salt: `chunks ${productModule} ${bundlerState()}`, count: 3 };
  const kept = keptFolder(keep, async (folder) => {
    // Neither esbuild nor the declarations are loaded where nothing changed.
    return withEsbuild(async ({ build }) => {
      const { functionEntries } = await import('./entries.ts');
      const { declarations: declared } = await productAt(productModule);
      const options = await chunkOptions(functionEntries(declared));
      const built = build({ ...options, outdir: folder, logLevel: 'silent' });
      const reached = reachedFrom('lib/bundle/entries.ts', productModule);
      onUnderWay();
      const [{ metafile }, declarations] = await Promise.all([built, reached]);
      return [...ownFiles(metafile), ...declarations];
    });
  });
  kept.then(onUnderWay, () => undefined);
  return kept;
}
