import { basename, join } from 'node:path';
import { circlesIn } from './import-circles.ts';
import { dependenciesOfDomains, dependenciesOfLayers, inOrder } from './import-dependencies.ts';
import { circlesOf, unusedInPublicApis } from './import-graph-checks.ts';
import { rules } from './layer-rules.ts';
import { domainOf, layerOf, operationsIn } from './layers.ts';
import { effectsInRule, globalsInRule } from './rule-globals.ts';
import { type Import, importsOf, readSources } from './source-imports.ts';

/** @returns a line for each import that no rule allows, each rule that acts when it is loaded, each circle, each name that a public API need not hand on, and each file name that a domain has twice. */
export function violations(sources: ReadonlyMap<string, string>): string[] {
  const operations = operationsIn(sources);
  const imports = [...sources].flatMap(([file, source]) => importsOf(file, source));
  const layerless = [...sources.keys()]
    .filter((file) => !layerOf(file, operations))
    .map((file) => {
      const why = file.includes('/handlers/')
        ? '; a handler has the name of an operation that its domain declares'
        : '';
      return `${file}: is in no layer (bin/layers.ts)${why}`;
    });
  const forbidden = imports.flatMap((one) => {
    const layer = layerOf(one.from, operations);
    if (!layer || rules[layer].may.some((allowed) => allows(allowed, one, operations))) return [];
    const { from, to, names } = one;
    return [`${from}: imports ${to}${names?.length ? ` {${names.join(', ')}}` : ''}: ${rules[layer].says}`];
  });
  const impure = [...sources].flatMap(([file, source]) => [
    ...globalsInRule(file, source),
    ...effectsInRule(file, source),
  ]);
  const circles = circlesIn(graphOf(sources, imports)).map((circle) => `${circle}: files that import one another`);
  return [
    ...layerless,
    ...forbidden,
    ...impure,
    ...circles,
    ...circlesOf(dependenciesOfLayers(imports, operations), 'layers'),
    ...circlesOf(dependenciesOfDomains(imports), 'domains'),
    ...unusedInPublicApis(sources, imports),
    ...namesakes([...sources.keys()]),
  ];
}

/** Imports of types count, too: whoever reads one of two such files has to read the other. */
function graphOf(sources: ReadonlyMap<string, string>, imports: readonly Import[]): Map<string, string[]> {
  const byFile = Map.groupBy(imports, ({ from }) => from);
  const targets = (file: string) => (byFile.get(file) ?? []).map(({ to }) => to).filter((to) => sources.has(to));
  return new Map([...sources.keys()].map((file) => [file, targets(file)]));
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
  if (allowed.startsWith('other '))
    return domainOf(one.from) !== domainOf(one.to) && allows(allowed.slice(6), one, operations);
  if (allowed.startsWith('own '))
    return domainOf(one.from) === domainOf(one.to) && allows(allowed.slice(4), one, operations);
  if (allowed === 'tables') return basename(one.to) === 'tables.ts';
  if (allowed in rules) return layerOf(one.to, operations) === allowed;
  const [name = '', bindings] = allowed.split(/ \{|\}/);
  if (bindings && !one.names?.every((binding) => bindings.split(', ').includes(binding))) return false;
  return name.endsWith('*') ? one.to.startsWith(name.slice(0, -1)) : one.to === name || one.to.startsWith(`${name}/`);
}

/** The dependencies in order, from the lowest to the highest: each with what is below it. */
export function dependenciesIn(sources: ReadonlyMap<string, string>): string[] {
  const imports = [...sources].flatMap(([file, source]) => importsOf(file, source));
  return [
    'Layers, the lowest first:',
    ...inOrder(dependenciesOfLayers(imports, operationsIn(sources))),
    '',
    'Domains, the lowest first:',
    ...inOrder(dependenciesOfDomains(imports)),
  ];
}

export function run(): void {
  const sources = readSources(join(import.meta.dirname, '..'));
  const found = violations(sources);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
  else console.log(dependenciesIn(sources).join('\n'));
}
