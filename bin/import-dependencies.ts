import { domainOf, gatherers, layerOf } from './layers.ts';
import type { Import } from './source-imports.ts';

/** The dependencies between layers and between domains, each with its imports, and their order. */

/** For each name, the names that it uses, and by which imports. */
export type Dependencies = ReadonlyMap<string, ReadonlyMap<string, readonly Import[]>>;

/** Of layers that are one: threads and the public API of the local stage, and the tools of commands. */
const sameAs: Readonly<Record<string, string>> = { 'local worker': 'local', 'local API': 'local', tool: 'command' };

/** Folders of functions/ that are layers, and no domains. */
const noDomains = ['access', 'analytics', 'gateway', 'generated'];

/** Within one domain: from domain to domain lead the dependencies of domains. */
export function dependenciesOfLayers(imports: readonly Import[], operations: ReadonlySet<string>): Dependencies {
  const nameOf = (file: string) => {
    const layer = layerOf(file, operations);
    return layer && (sameAs[layer] ?? layer);
  };
  return dependenciesBetween(
    imports.filter((one) => !isBetweenDomains(one.from, one.to) && !isOfRow(one)),
    nameOf,
  );
}

/** `tables.ts` imports the types of rows, and generated lists import the types of tables. No code follows such an import. */
function isOfRow({ from, to, typeOnly }: Import): boolean {
  return typeOnly && (from.endsWith('/tables.ts') || to.endsWith('/tables.ts'));
}

export function dependenciesOfDomains(imports: readonly Import[]): Dependencies {
  const between = imports.filter(({ from, to }) => isBetweenDomains(from, to) && !gatherers.includes(from));
  return dependenciesBetween(between, (file) => domainOf(file) ?? null);
}

/** @returns a line for each name, after the lines of all that it uses: `consents: agreements, users` */
export function inOrder(dependencies: Dependencies): string[] {
  const lines = new Map<string, string>();
  const visit = (name: string) => {
    if (lines.has(name)) return;
    const uses = [...(dependencies.get(name)?.keys() ?? [])].toSorted();
    // Without the name itself first, a circle would never end.
    lines.set(name, '');
    for (const used of uses) visit(used);
    lines.delete(name);
    lines.set(name, `  ${name}${uses.length > 0 ? `: ${uses.join(', ')}` : ''}`);
  };
  const used = [...dependencies.values()].flatMap((each) => [...each.keys()]);
  for (const name of [...new Set([...dependencies.keys(), ...used])].toSorted()) visit(name);
  return [...lines.values()];
}

function isBetweenDomains(from: string, to: string): boolean {
  const [one, other] = [domainOf(from), domainOf(to)];
  if (one === undefined || other === undefined || one === other) return false;
  return !noDomains.includes(one) && !noDomains.includes(other);
}

function dependenciesBetween(imports: readonly Import[], nameOf: (file: string) => string | null): Dependencies {
  const dependencies = new Map<string, Map<string, Import[]>>();
  for (const one of imports) {
    const [from, to] = [nameOf(one.from), nameOf(one.to)];
    if (from === null || to === null || from === to) continue;
    const uses = dependencies.get(from) ?? new Map<string, Import[]>();
    dependencies.set(from, uses.set(to, [...(uses.get(to) ?? []), one]));
  }
  return dependencies;
}
