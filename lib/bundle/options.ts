import type { BuildOptions, Metafile } from 'esbuild';
import { compactErrors } from './compact-errors.ts';
import { type Entry, entryPoints, functionModules } from './entries.ts';
import { plainKeys } from './plain-keys.ts';
import { pureDeclarations } from './pure-declarations.ts';
import { pureRules } from './pure-rules.ts';
import { replaceModules } from './replace-modules.ts';
import { requireBuiltins } from './require-builtins.ts';
import { root } from './root.ts';

/** What all bundles have in common: deployed ones, and the ones of the local stage. */
export function bundleOptions(entries: readonly Entry[]) {
  return {
    absWorkingDir: root,
    entryPoints: entryPoints(entries),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // esbuild prefers `main` for platform node, which is CommonJS and cannot be shaken (2068 against 783 KiB).
    mainFields: ['module', 'main'],
    plugins: [
      functionModules(entries),
      requireBuiltins,
      ...replaceModules,
      compactErrors,
      plainKeys,
      pureDeclarations,
      pureRules,
    ],
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}

/**
 * The files that an entry's module reaches.
 *
 * @param name of the function
 */
export function inputsOf(name: string, { inputs }: Metafile): string[] {
  // The iteration of a set also visits elements that are added during it.
  const reached = new Set([`function:${name}`]);
  for (const path of reached) {
    for (const imported of inputs[path]?.imports ?? []) if (!imported.external) reached.add(imported.path);
  }
  // Other namespaces, such as `function:`, have no files.
  return [...reached].filter((path) => !/^[a-z-]+:/.test(path)).sort();
}
