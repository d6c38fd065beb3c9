import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { consumers, operations } from '../../functions/domains.ts';
import type { Table } from '../contract/tables.ts';
import { compactErrors } from './bundle/compact-errors.ts';
import { firstRead, initializeFirst } from './bundle/initialize-first.ts';
import { plainKeys } from './bundle/plain-keys.ts';
import { pureDeclarations } from './bundle/pure-declarations.ts';
import { replaceModules } from './bundle/replace-modules.ts';
import { requireBuiltins } from './bundle/require-builtins.ts';
import { functionName } from './names.ts';

/** All functions in one esbuild call: `<outdir>/<name>/index.mjs`, self-contained, its source map beside it. */

export type Entry = {
  /** Also the folder: `revoke-consent`. */
  readonly name: string;
  /** The source file, absolute or below the project's root. */
  readonly file: string;
  /** Read once while the function initializes, so that its first request finds client and connection ready. */
  readonly firstRead?: Table | undefined;
};

export type BundleOptions = { readonly outdir: string; readonly entries?: readonly Entry[] };

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every operation and consumer of the domains, and the two functions that belong to the gateway. */
export function functionEntries(): Entry[] {
  return [
    ...operations.map(({ id, file, route }) => ({ name: functionName(id), file, firstRead: firstRead(route) })),
    ...consumers.map(({ id, file, consumer }) => ({ name: functionName(id), file, firstRead: firstRead(consumer) })),
    { name: 'authorizer', file: 'lib/runtime/authorizer.ts' },
    { name: 'route-not-found', file: 'lib/runtime/route-not-found.ts' },
  ];
}

/** Also for esbuild's `context`, so that what the watch mode runs is what is deployed. */
export function bundleOptions({ outdir, entries = functionEntries() }: BundleOptions) {
  return {
    absWorkingDir: root,
    entryPoints: entries.map(({ name, file }) => ({ in: file, out: `${name}/index` })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // esbuild prefers `main` for platform node, which is CommonJS and cannot be shaken (design: 783 against 2068 KiB).
    mainFields: ['module', 'main'],
    plugins: [
      requireBuiltins,
      replaceModules,
      compactErrors,
      plainKeys,
      pureDeclarations,
      initializeFirst(root, entries),
    ],
    minify: true,
    sourcemap: 'external',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    write: true,
  } as const satisfies BuildOptions;
}

export async function bundle(options: BundleOptions): Promise<Metafile> {
  const { metafile } = await build(bundleOptions(options));
  return metafile;
}
