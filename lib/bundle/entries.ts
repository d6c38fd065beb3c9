import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Declarations } from '../contract/declarations.ts';
import { StaffAccounts } from '../contract/staff-accounts.ts';
import { type TableAtInit, tableReadAtInit } from '../contract/table-at-init.ts';
import { get } from '../contract/uses.ts';
import { root } from './root.ts';

/** The functions of an environment, and the module that each of their bundles begins with. */

export type Entry = {
  /** The folder and the function, named as the source file: `revoke-consent`. */
  readonly name: string;
  /** The source file, below the project's root. */
  readonly file: string;
  /** The table that the function reads while Lambda initializes it. */
  readonly atInit?: TableAtInit | undefined;
};

/** Every operation and consumer of the domains, and the functions that belong to the gateway and to the user pools. */
export function functionEntries({ folder, operations, consumers, tables }: Declarations): Entry[] {
  const declared = [
    ...operations.map(({ file, route }) => ({ file, uses: route })),
    ...consumers.map(({ file, consumer }) => ({ file, uses: consumer })),
    { file: `${folder}/gateway/authorizer.ts`, uses: {} },
    ...(tables.some(({ name }) => name === StaffAccounts.name)
      ? [{ file: `${folder}/gateway/staff-authorizer.ts`, uses: { uses: [get(StaffAccounts)] } }]
      : []),
    { file: `${folder}/gateway/route-not-found.ts`, uses: {} },
    { file: `${folder}/gateway/pre-token-generation.ts`, uses: {} },
  ];
  return declared.map(({ file, uses }) => ({ name: basename(file, '.ts'), file, atInit: tableReadAtInit(uses) }));
}

const prefix = 'function:';

/** Names the modules that begin the bundles: a handler's file has no top-level await, so that any other may import it. */
export function entryPoints(entries: readonly Entry[]) {
  return entries.map(({ name }) => ({ in: `${prefix}${name}`, out: `${name}/index` }));
}

/** Gives esbuild these modules. */
export function functionModules(entries: readonly Entry[]): Plugin {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return {
    name: 'function-modules',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${prefix}`) }, ({ path }) => ({
        path: path.slice(prefix.length),
        namespace: 'function',
      }));
      build.onLoad({ filter: /.*/, namespace: 'function' }, ({ path }) => {
        const entry = byName.get(path);
        return entry && { contents: moduleOf(entry), loader: 'ts', resolveDir: root };
      });
    },
  };
}

/** Lambda's init phase lasts until the module is loaded, so the module waits for what the function reads at init. */
function moduleOf({ file, atInit }: Entry): string {
  const from = JSON.stringify(`./${file}`);
  if (!atInit) return `export * from ${from};`;
  const { name, partitionKey, sortKey } = atInit;
  const hasOptions = /^export const atInit\b/m.test(readFileSync(join(root, file), 'utf8'));
  return [
    `import { handler${hasOptions ? ', atInit' : ''} } from ${from};`,
    `import { initialize } from './lib/runtime/initialize.ts';`,
    `await initialize(${JSON.stringify({ name, partitionKey, sortKey })}${hasOptions ? ', atInit' : ''});`,
    'export { handler };',
  ].join('\n');
}

/**
 * For the local stage, which loads the sources themselves: modules that name them, `<name>/index.mjs`. Whoever loads one waits for its
 * `ready` in place of a top-level await.
 */
export function writeSourceModules(entries: readonly Entry[], folder: string): void {
  for (const { name, file, atInit } of entries) {
    const at = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href);
    const { name: table, partitionKey, sortKey } = atInit ?? {};
    const lines = atInit
      ? [
          `import * as own from ${at(file)};`,
          `import { initialize } from ${at('lib/runtime/initialize.ts')};`,
          `export const ready = initialize(${JSON.stringify({ name: table, partitionKey, sortKey })}, own.atInit);`,
          'export const handler = own.handler;',
        ]
      : [`export * from ${at(file)};`];
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.mjs'), `${lines.join('\n')}\n`);
  }
}
