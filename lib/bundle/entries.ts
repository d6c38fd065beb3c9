import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Declarations } from '../contract/declarations.ts';
import { type Part, partsOfConsumer, partsOfRoute } from '../contract/parts.ts';
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
  /** What its `handler` is given; absent: it is Lambda's already. */
  readonly parts?: readonly Part[];
};

/** Every operation and consumer of the domains, and the functions that belong to the gateway and to the user pools. */
export function functionEntries(declarations: Declarations): Entry[] {
  const { folder, operations, consumers, tables } = declarations;
  const declared = [
    ...operations.map(({ file, route }) => ({ file, uses: route, parts: partsOfRoute(file, route, declarations) })),
    ...consumers.map(({ file, consumer }) => ({
      file,
      uses: consumer,
      parts: partsOfConsumer(consumer, declarations),
    })),
    { file: `${folder}/gateway/authorizer.ts`, uses: {} },
    ...(tables.some(({ name }) => name === StaffAccounts.name)
      ? [{ file: `${folder}/gateway/staff-authorizer.ts`, uses: { uses: [get(StaffAccounts)] } }]
      : []),
    { file: `${folder}/gateway/route-not-found.ts`, uses: {} },
    { file: `${folder}/gateway/pre-token-generation.ts`, uses: {} },
  ];
  return declared.map(({ file, uses, ...more }) => ({
    name: basename(file, '.ts'),
    file,
    atInit: tableReadAtInit(uses),
    ...more,
  }));
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
function moduleOf(entry: Entry): string {
  const { file, atInit } = entry;
  const hasOptions = /^export const atInit\b/m.test(readFileSync(join(root, file), 'utf8'));
  const at = (path: string) => `./${path}`;
  return [
    ...(atInit && hasOptions ? [`import { atInit } from ${JSON.stringify(at(file))};`] : []),
    ...(atInit ? [initImport(at), `await ${initOf(atInit, hasOptions ? 'atInit' : '{}')};`] : []),
    ...handlerLines(entry, at),
  ].join('\n');
}

/**
 * For the local stage, which loads the sources themselves: modules that name them, `<name>/index.mjs`. Whoever loads one waits for its
 * `ready` in place of a top-level await.
 */
export function writeSourceModules(entries: readonly Entry[], folder: string): void {
  const at = (path: string) => pathToFileURL(join(root, path)).href;
  for (const entry of entries) {
    const { name, file, atInit } = entry;
    const lines = [
      ...(atInit
        ? [
            `import * as own from ${JSON.stringify(at(file))};`,
            initImport(at),
            `export const ready = ${initOf(atInit, 'own.atInit')};`,
          ]
        : []),
      ...handlerLines(entry, at),
    ];
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.mjs'), `${lines.join('\n')}\n`);
  }
}

type At = (path: string) => string;

const initImport = (at: At) => `import { initialize } from ${JSON.stringify(at('lib/runtime/initialize.ts'))};`;

function initOf({ name, partitionKey, sortKey }: TableAtInit, options: string): string {
  return `initialize(${JSON.stringify({ name, partitionKey, sortKey })}, ${options})`;
}

function handlerLines({ file, parts = [] }: Entry, at: At): string[] {
  const [runtime, ...others] = parts;
  if (!runtime) return [`export { handler } from ${JSON.stringify(at(file))};`];
  const imported = (name: string, from: string, local = name) =>
    `import { ${name} as ${local} } from ${JSON.stringify(at(from))};`;
  const value = { paging: 'paging', access: 'access(runtime)', otherBodies: 'otherBodies' };
  return [
    imported('handler', file, 'given'),
    imported(runtime.name, runtime.file, 'runtime'),
    ...others.map((part) => imported(part.name, part.file, part.as)),
    `export const handler = given({ ${['...runtime', ...others.map(({ as }) => as && `${as}: ${value[as]}`)].join(', ')} });`,
  ];
}
