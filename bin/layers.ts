import { kebabCase } from '../lib/contract/kebab-case.ts';
import type { Layer } from './layer-rules.ts';

/** Which layer a file is in: its folder says it. */

/** Written from the declarations of all domains: what gathers every domain is below none of them. */
export const gatherers: readonly string[] = [
  'functions/erasure/workflows/own-erasers-generated.ts',
  'functions/generated/erased-tables.ts',
  'functions/generated/exported-domains.ts',
  'functions/generated/iam-permissions.ts',
  'functions/personal-exports/workflows/own-readers-generated.ts',
];

/** The files at the top of a domain's folder. */
const tops: ReadonlyMap<string, Layer> = new Map([
  ['routes', 'declaration'],
  ['consumers', 'declaration'],
  ['schemas', 'declaration'],
  ['uses', 'declaration'],
  ['tables', 'value'],
  ['procedures', 'declaration'],
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
  ['personal-data', 'data'],
  ['reference', 'reference'],
  ['index', 'index'],
  ['exports', 'exports'],
  ['rules', 'rule API'],
]);

/** The folders of a domain. */
const folders: ReadonlyMap<string, Layer> = new Map([
  ['handlers', 'handler'],
  ['rules', 'rule'],
  ['stores', 'store'],
  ['workflows', 'workflow'],
  ['jobs', 'job'],
  ['seed', 'job'],
]);

/** @returns null for a file that is in none of the folders */
export function layerOf(file: string, operations: ReadonlySet<string>): Layer | null {
  if (/^lib\/local\/([^/]+-worker|synth)\.ts$/.test(file)) return 'local worker';
  if (file === 'lib/local/index.ts' || file === 'lib/local/early.ts') return 'local API';
  if (/^bin\/([a-z-]+\/)?[a-z-]+\.ts$/.test(file)) return 'command';
  if (/^bin\/tools\/[a-z-]+\/[a-z-]+\.ts$/.test(file)) return 'tool';
  const [, library] = /^lib\/(contract|runtime|bundle|stack|local|explore)\//.exec(file) ?? [];
  if (library) return library as Layer;
  if (file === 'functions/domains.ts') return 'domains';
  if (/^functions\/(product|settings)\.ts$/.test(file)) return 'product';
  if (/^functions\/analytics\/[a-z-]+\.ts$/.test(file)) return 'analytics';
  if (/^functions\/gateway\/[a-z-]+\.ts$/.test(file)) return 'gateway';
  if (/^functions\/access\/(check|reads|log)\.ts$/.test(file)) return 'access check';
  if (/^functions\/access\/(data-subject|consent-states)\.ts$/.test(file)) return 'access';
  if (file === 'functions/access/data-subject-rules.ts') return 'access rules';
  if (file.startsWith('functions/generated/')) return gatherers.includes(file) ? 'generated' : null;
  const [, domain, path = ''] = /^functions\/([^/]+)\/(.+)\.ts$/.exec(file) ?? [];
  const [top = '', name, ...deeper] = path.split('/');
  if (!domain || deeper.length > 0) return null;
  // A file that would be too long is split by subject: `urgent-routes.ts`, which `routes.ts` exports again.
  if (name === undefined) return tops.get(top.replace(/^[a-z]+-(?=(routes|schemas)$)/, '')) ?? null;
  // A handler has the name of its operation, by which it is found.
  if (top === 'handlers' && !operations.has(`${domain}/${name}`)) return null;
  return folders.get(top) ?? null;
}

/** `consents/revoke-consent`: the names of handlers for the declarations in a domain's routes.ts and consumers.ts. */
export function operationsIn(sources: ReadonlyMap<string, string>): Set<string> {
  const declared = [...sources].flatMap(([file, source]) => {
    if (!/\/(([a-z]+-)?routes|consumers)\.ts$/.test(file)) return [];
    return [...source.matchAll(/^export const (\w+) = (?:route|consumer)\(/gm)].map(([, id = '']) => {
      return `${domainOf(file)}/${kebabCase(id)}`;
    });
  });
  return new Set(declared);
}

/** @returns undefined outside of `functions/<folder>/` */
export function domainOf(file: string): string | undefined {
  return /^functions\/([^/]+)\//.exec(file)?.[1];
}
