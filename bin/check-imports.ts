import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What may import what (docs/decisions), read from the sources; `npm run check` fails on what no line here allows. */

/** `own store`: the same domain's. `type contract`: types alone. `node:crypto {createHash}`: that binding alone. */
type Rule = { readonly may: readonly string[]; readonly says: string };

const rules = {
  contract: { may: ['contract', 'zod'], says: 'lib/contract is pure: itself and zod' },
  runtime: {
    may: [
      'runtime',
      'contract',
      'zod',
      'node:*',
      '@middy/*',
      '@aws-sdk/*',
      'aws-jwt-verify',
      'negotiator',
      'type aws-lambda',
    ],
    says: 'lib/runtime is bundled into every function: no domain, no construct, no local stage',
  },
  stack: {
    may: ['stack', 'contract', 'domains', 'routes', 'aws-cdk-lib', 'constructs', 'esbuild', 'node:*'],
    says: 'lib/stack knows the declarations, never a handler or what it runs on',
  },
  local: {
    may: ['local', 'local worker', 'contract', 'zod', 'node:*'],
    says: 'lib/local knows the template and no domain',
  },
  'local worker': {
    may: ['local', 'contract', 'stack', 'esbuild', 'node:*'],
    says: 'the threads of lib/local make the template, and know lib/stack for that alone',
  },
  domains: { may: ['routes', 'contract'], says: 'functions/domains.ts lists declarations' },
  routes: { may: ['contract', 'zod'], says: 'routes.ts declares: lib/contract alone' },
  rule: {
    may: [
      'own rule',
      'type own routes',
      'type contract',
      'canonicalize',
      'compare-versions',
      'node:crypto {createHash}',
    ],
    says: 'a rule is pure: nothing outside its folder, no clock, no I/O',
  },
  store: {
    may: ['own store', 'rule', 'own routes', 'contract', 'runtime', 'zod', '@aws-sdk/*', 'node:*', 'type aws-lambda'],
    says: "a store knows its own domain, other domains' rules, lib/contract and lib/runtime",
  },
  handler: {
    may: ['own store', 'own rule', 'own routes', 'rule', 'contract', 'runtime'],
    says: "a handler knows its own folder, lib/runtime and lib/contract; no handler, no other domain's store",
  },
} as const satisfies Record<string, Rule>;

export type Room = keyof typeof rules;

/**
 * The files of a domain that do I/O beside its handlers; every other file there is a rule. Commands (the publishing of a
 * catalogue, the seed) and what runs a transaction are no rules either.
 */
const storeFiles = [
  /-store$/,
  /^store$/,
  /-file$/,
  /^record-change$/,
  /^(export|import|publish|rebuild|verify)-/,
  /^seed\//,
];

export type Import = {
  readonly from: string;
  /** A path below the root, or a package as it is written. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** The bindings that are no types; null where all are imported. */
  readonly names: readonly string[] | null;
};

const statement =
  /^(?:import|export)\s+(type\s+)?(?:([\w$]+\s*,\s*)?(\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?|[\w$]+)\s+from\s+)?'([^']+)'/gm;
const reached = /\bimport\(\s*'([^']+)'\s*\)|new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\s*\)/g;

/** Every import, re-export, dynamic import and worker file of a source. */
export function importsOf(file: string, source: string): Import[] {
  const target = (specifier: string) =>
    specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier;
  const found = [...source.matchAll(statement)].map(([, type, first, clause, specifier = '']): Import => {
    const braced = clause?.startsWith('{')
      ? clause
          .slice(1, -1)
          .split(',')
          .map((name) => name.trim())
      : null;
    const values = braced?.filter((name) => name !== '' && !name.startsWith('type ')) ?? null;
    // `import { type A }` still runs the module that it names; only `import type` does not.
    const typeOnly = type !== undefined;
    return { from: file, to: target(specifier), typeOnly, names: first === undefined ? values : null };
  });
  const others = [...source.matchAll(reached)].map(([, dynamic, url]): Import => {
    return { from: file, to: target(dynamic ?? url ?? ''), typeOnly: false, names: null };
  });
  return [...found, ...others];
}

/** @returns null where a file has no room of the house. */
export function roomOf(file: string, operations: ReadonlySet<string>): Room | null {
  if (/^lib\/local\/[^/]+-worker\.ts$/.test(file)) return 'local worker';
  const [, library] = /^lib\/(contract|runtime|stack|local)\//.exec(file) ?? [];
  if (library) return library as Room;
  if (file === 'functions/domains.ts') return 'domains';
  const [, domain, name] = /^functions\/([^/]+)\/(.+)\.ts$/.exec(file) ?? [];
  if (!domain || !name) return null;
  if (name === 'routes' || name === 'consumers') return 'routes';
  if (operations.has(`${domain}/${name}`)) return 'handler';
  if (storeFiles.some((pattern) => pattern.test(name))) return 'store';
  return name.includes('/') ? null : 'rule';
}

/** @returns a line for each import that no rule allows. */
export function violations(sources: ReadonlyMap<string, string>): string[] {
  const operations = operationsIn(sources);
  return [...sources].flatMap(([file, source]) => {
    const room = roomOf(file, operations);
    if (!room) return [`${file}: has no room in the house (bin/check-imports.ts)`];
    return importsOf(file, source)
      .filter((one) => !rules[room].may.some((allowed) => allows(allowed, one, operations)))
      .map(
        ({ to, names }) =>
          `${file}: imports ${to}${names?.length ? ` {${names.join(', ')}}` : ''}: ${rules[room].says}`,
      );
  });
}

function allows(allowed: string, one: Import, operations: ReadonlySet<string>): boolean {
  if (allowed.startsWith('type ')) return one.typeOnly && allows(allowed.slice(5), one, operations);
  if (allowed.startsWith('own '))
    return domainOf(one.from) === domainOf(one.to) && allows(allowed.slice(4), one, operations);
  if (allowed in rules) return roomOf(one.to, operations) === allowed;
  const [name = '', bindings] = allowed.split(/ \{|\}/);
  if (bindings && !one.names?.every((binding) => bindings.split(', ').includes(binding))) return false;
  return name.endsWith('*') ? one.to.startsWith(name.slice(0, -1)) : one.to === name || one.to.startsWith(`${name}/`);
}

function domainOf(file: string): string | undefined {
  return /^functions\/([^/]+)\//.exec(file)?.[1];
}

/** `agreements/revoke-consent`: the handlers, which are named as the operations of their domain's routes.ts and consumers.ts. */
function operationsIn(sources: ReadonlyMap<string, string>): Set<string> {
  const declared = [...sources].flatMap(([file, source]) => {
    if (!/\/(routes|consumers)\.ts$/.test(file)) return [];
    return [...source.matchAll(/^export const (\w+) = (?:route|consumer)\(/gm)].map(([, id = '']) => {
      return `${domainOf(file)}/${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    });
  });
  return new Set(declared);
}

/** The sources of lib/ and functions/, by their path below the root. */
export function readSources(root: string): Map<string, string> {
  const files = ['lib', 'functions'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return new Map(
    files
      .filter((file) => file.endsWith('.ts'))
      .toSorted()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
}

if (import.meta.main) {
  const found = violations(readSources(join(import.meta.dirname, '..')));
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
