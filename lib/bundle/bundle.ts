import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { consumers, operations } from '../../functions/domains.ts';
import { compactErrors } from './compact-errors.ts';
import { plainKeys } from './plain-keys.ts';
import { pureDeclarations } from './pure-declarations.ts';
import { replaceModules } from './replace-modules.ts';
import { requireBuiltins } from './require-builtins.ts';

/** All functions in one esbuild call: `<outdir>/<name>/index.mjs`, self-contained, its source map beside it. */

export type Entry = {
  /** The folder and the function, named as the source file: `revoke-consent`. */
  readonly name: string;
  /** The source file, absolute or below the project's root. */
  readonly file: string;
};

export type BundleOptions = { readonly outdir: string; readonly entries?: readonly Entry[] };

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every operation and consumer of the domains, and the functions that belong to the gateway. */
export function functionEntries(): Entry[] {
  const ofDomains = [...operations, ...consumers].map(({ file }) => file);
  const files = [
    ...ofDomains,
    ...['authorizer', 'staff-authorizer', 'route-not-found'].map((name) => `lib/runtime/${name}.ts`),
  ];
  return files.map((file) => ({ name: basename(file, '.ts'), file }));
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
    plugins: [requireBuiltins, ...replaceModules, compactErrors, plainKeys, pureDeclarations],
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
