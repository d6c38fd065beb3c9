import { basename, join } from 'node:path';
import { kebabCase } from '../lib/contract/kebab-case.ts';
import { circlesIn } from './import-circles.ts';
import { globalsInRule } from './rule-globals.ts';
import { type Import, importsOf, readSources } from './source-imports.ts';

/** Which folders may import which (docs/decisions). `npm run check` reads the sources and fails for an import that no line here allows. */

/** `own store`: only stores of the same domain. `type contract`: only types. `node:crypto {createHash}`: only that binding. */
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
  bundle: {
    may: ['bundle', 'contract', 'esbuild', 'node:*'],
    says: 'lib/bundle builds the code of all functions, of whichever product: lib/contract, and esbuild',
  },
  analytics: {
    may: ['analytics'],
    says: 'functions/analytics is pure: views and questions as text of SQL',
  },
  stack: {
    may: ['stack', 'contract', 'aws-cdk-lib', 'constructs', 'node:*'],
    says: 'lib/stack gets the product as an argument: no domain, and nothing that a handler runs on',
  },
  local: {
    may: ['local', 'local worker', 'contract', 'zod', 'node:*'],
    says: 'lib/local knows the template and no domain',
  },
  'local door': {
    may: ['local', 'local worker'],
    says: 'lib/local/index.ts is a door: it hands out what is in lib/local',
  },
  'local worker': {
    may: ['local', 'local worker', 'contract', 'stack', 'bundle', 'esbuild', 'node:*'],
    says: 'synth.ts and the threads of lib/local make the template and the code: they may import lib/stack and lib/bundle',
  },
  command: {
    may: [
      'command',
      'contract',
      'runtime',
      'bundle',
      'stack',
      'analytics',
      'local door',
      'product',
      'domains',
      'declaration',
      'value',
      'rule',
      'store',
      'job',
      'aws-cdk-lib',
      'tool',
      'js-yaml',
      '@aws-sdk/*',
      'node:*',
    ],
    says: 'a command knows the jobs of domains, what they rest on, and lib/local by its door; no handler, no workflow',
  },
  tool: {
    may: [
      'command',
      'analytics',
      '@duckdb/node-api',
      '@observablehq/plot',
      'linkedom',
      '@redocly/openapi-core',
      'typescript',
      'node:*',
    ],
    says: 'a tool has packages that `npm ci` does not install: only its own modules import them',
  },
  product: { may: ['product', 'contract'], says: 'the facts of the product are those of no domain' },
  gateway: {
    may: ['product', 'contract', 'runtime'],
    says: "the gateway's own functions are those of lib/runtime, with the facts of the product",
  },
  domains: { may: ['index', 'contract'], says: 'functions/domains.ts lists what each index.ts hands on' },
  index: {
    may: ['own declaration', 'own value', 'own guide', 'own data', 'own reference'],
    says: 'index.ts hands on the declarations of its domain, and nothing else',
  },
  declaration: {
    may: ['declaration', 'value', 'product', 'contract', 'zod'],
    says: 'a declaration has no logic: lib/contract and other declarations',
  },
  value: {
    may: ['value', 'product', 'contract', 'zod'],
    says: 'tables, queues, buckets, errors, permissions and the like import lib/contract, zod and one another',
  },
  data: {
    may: ['value', 'contract'],
    says: 'whose data tables hold is about tables, and for no function',
  },
  guide: {
    may: ['own value', 'contract', 'zod'],
    says: 'what errors mean is about those of its own domain, and for no function',
  },
  reference: {
    may: ['own declaration', 'contract'],
    says: 'what the reference says is about routes of its own domain, and for no function',
  },
  rule: {
    may: [
      'rule',
      'type own declaration',
      'product',
      'type contract',
      'canonicalize',
      'compare-versions',
      'temporal-polyfill/fns/*',
      'lib/contract/accounts.ts {endAfter}',
      'lib/contract/consent-states.ts {isConsenting}',
      'node:crypto {createHash}',
      'node:crypto {createHmac}',
      'node:util {isDeepStrictEqual}',
    ],
    says: 'a rule is pure: it imports only other rules, no clock, no I/O',
  },
  store: {
    may: [
      'own store',
      'own declaration',
      'value',
      'rule',
      'exports',
      'product',
      'contract',
      'runtime',
      'zod',
      'fflate',
      '@aws-sdk/*',
      'node:*',
      'type aws-lambda',
    ],
    says: 'a store knows stores of its own domain, rules, what others declare, and what other domains export',
  },
  workflow: {
    may: [
      'own workflow',
      'own store',
      'own declaration',
      'value',
      'rule',
      'exports',
      'product',
      'contract',
      'runtime',
      'type @aws-sdk/*',
      'type aws-lambda',
      'node:crypto',
      'node:timers/promises',
    ],
    says: 'a workflow leaves each call to a store: its own domain, rules, what others declare, and what other domains export',
  },
  handler: {
    may: [
      'own workflow',
      'own store',
      'own declaration',
      'value',
      'rule',
      'exports',
      'product',
      'contract',
      'runtime',
      // The command's check, run by a schedule.
      'functions/ledger/jobs/check-all.ts {checkAll}',
    ],
    says: 'a handler knows its own domain, rules, what others declare, and what other domains export; no handler, no job',
  },
  job: {
    may: [
      'own job',
      'own workflow',
      'own store',
      'own declaration',
      'value',
      'rule',
      'exports',
      'product',
      'contract',
      'runtime',
      'zod',
      '@aws-sdk/*',
      'node:*',
    ],
    says: 'a job knows its own domain, rules, what others declare, and what other domains export; no handler',
  },
  exports: { may: ['own store'], says: 'exports.ts hands stores of its domain to other domains, and nothing else' },
} as const satisfies Record<string, Rule>;

export type Room = keyof typeof rules;

/** The files at the top of a domain's folder. */
const tops: ReadonlyMap<string, Room> = new Map([
  ['routes', 'declaration'],
  ['consumers', 'declaration'],
  ['schemas', 'declaration'],
  ['generated', 'declaration'],
  ['uses', 'declaration'],
  ['tables', 'value'],
  ['queues', 'value'],
  ['topics', 'value'],
  ['buckets', 'value'],
  ['signing-keys', 'value'],
  ['secrets', 'value'],
  ['metrics', 'value'],
  ['errors', 'value'],
  ['permissions', 'value'],
  ['audit-actions', 'value'],
  ['errors-guide', 'guide'],
  ['data', 'data'],
  ['reference', 'reference'],
  ['index', 'index'],
  ['exports', 'exports'],
]);

/** The folders of a domain. */
const folders: ReadonlyMap<string, Room> = new Map([
  ['handlers', 'handler'],
  ['rules', 'rule'],
  ['stores', 'store'],
  ['workflows', 'workflow'],
  ['jobs', 'job'],
  ['seed', 'job'],
]);

/** @returns null for a file that is in none of the folders */
export function roomOf(file: string, operations: ReadonlySet<string>): Room | null {
  if (/^lib\/local\/([^/]+-worker|synth)\.ts$/.test(file)) return 'local worker';
  if (file === 'lib/local/index.ts') return 'local door';
  if (/^bin\/([a-z-]+\/)?[a-z-]+\.ts$/.test(file)) return 'command';
  if (/^bin\/tools\/[a-z-]+\/[a-z-]+\.ts$/.test(file)) return 'tool';
  const [, library] = /^lib\/(contract|runtime|bundle|stack|local)\//.exec(file) ?? [];
  if (library) return library as Room;
  if (file === 'functions/domains.ts') return 'domains';
  if (/^functions\/(product|settings)\.ts$/.test(file)) return 'product';
  if (/^functions\/analytics\/[a-z-]+\.ts$/.test(file)) return 'analytics';
  if (/^functions\/gateway\/[a-z-]+\.ts$/.test(file)) return 'gateway';
  const [, domain, path = ''] = /^functions\/([^/]+)\/(.+)\.ts$/.exec(file) ?? [];
  const [top = '', name, ...deeper] = path.split('/');
  if (!domain || deeper.length > 0) return null;
  // A file that would be too long is split by subject: `urgent-routes.ts`, which `routes.ts` exports again.
  if (name === undefined) return tops.get(top.replace(/^[a-z]+-(?=(routes|schemas)$)/, '')) ?? null;
  // A handler has the name of its operation, by which it is found.
  if (top === 'handlers' && !operations.has(`${domain}/${name}`)) return null;
  return folders.get(top) ?? null;
}

/** @returns a line for each import that no rule allows, for each circle of imports, and for each file name that a domain has twice. */
export function violations(sources: ReadonlyMap<string, string>): string[] {
  const operations = operationsIn(sources);
  const imports = [...sources].flatMap(([file, source]) => {
    const room = roomOf(file, operations);
    if (!room) return [`${file}: has no room in the house (bin/check-imports.ts)`];
    return importsOf(file, source)
      .filter((one) => !rules[room].may.some((allowed) => allows(allowed, one, operations)))
      .map(
        ({ to, names }) =>
          `${file}: imports ${to}${names?.length ? ` {${names.join(', ')}}` : ''}: ${rules[room].says}`,
      );
  });
  const impure = [...sources].flatMap(([file, source]) => globalsInRule(file, source));
  const circles = circlesIn(graphOf(sources)).map((circle) => `${circle}: files that import one another`);
  return [...imports, ...impure, ...circles, ...namesakes([...sources.keys()])];
}

/** Imports of types make no circle at run time. They count only within lib/local, whose folders must be independent. */
function graphOf(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const counts = ({ from, to, typeOnly }: Import) => sources.has(to) && (!typeOnly || from.startsWith('lib/local/'));
  const targets = (file: string, source: string) => importsOf(file, source).filter(counts);
  return new Map([...sources].map(([file, source]) => [file, targets(file, source).map(({ to }) => to)]));
}

/** Two folders of a domain have a file with the same name, so the name is ambiguous. */
function namesakes(files: readonly string[]): string[] {
  const byName = Map.groupBy(files.filter(domainOf), (file) => `${domainOf(file)}/${basename(file)}`);
  return [...byName.values()].flatMap(([first, ...others]) =>
    others.map((file) => `${file}: has the name of ${first}`),
  );
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

/** `consents/revoke-consent`: the names of handlers for the declarations in a domain's routes.ts and consumers.ts. */
function operationsIn(sources: ReadonlyMap<string, string>): Set<string> {
  const declared = [...sources].flatMap(([file, source]) => {
    if (!/\/(([a-z]+-)?routes|consumers)\.ts$/.test(file)) return [];
    return [...source.matchAll(/^export const (\w+) = (?:route|consumer)\(/gm)].map(([, id = '']) => {
      return `${domainOf(file)}/${kebabCase(id)}`;
    });
  });
  return new Set(declared);
}

if (import.meta.main) {
  const found = violations(readSources(join(import.meta.dirname, '..')));
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
