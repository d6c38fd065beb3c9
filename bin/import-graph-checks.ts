import { circlesIn } from './import-circles.ts';
import type { Dependencies } from './import-dependencies.ts';
import { type Import, importsOf } from './source-imports.ts';

/** What goes wrong between domains and layers: a dependency that leads up closes a circle, and a public API hands on more than is used. */

/** @returns a line for each import on each circle */
export function circlesOf(dependencies: Dependencies, what: 'layers' | 'domains'): string[] {
  const graph = new Map([...dependencies].map(([name, uses]) => [name, [...uses.keys()]]));
  return circlesIn(graph).flatMap((circle) => {
    const names = circle.split(' → ');
    return names.slice(1).flatMap((to, index) => {
      const imports = dependencies.get(names[index] ?? '')?.get(to) ?? [];
      return imports.map((one) => `${one.from}: imports ${one.to}: ${circle}: ${what} that import one another`);
    });
  });
}

/** @returns a line for each value of a `rules.ts` or `exports.ts` that no other domain and no command imports */
export function unusedInPublicApis(sources: ReadonlyMap<string, string>, imports: readonly Import[]): string[] {
  return [...sources].flatMap(([api, source]) => {
    if (!/^functions\/[^/]+\/(rules|exports)\.ts$/.test(api)) return [];
    const through = imports.filter(({ to }) => to === api);
    if (through.some(({ names }) => names === null)) return [];
    const used = new Set(through.flatMap(({ names }) => names ?? []).map(nameIn));
    const handed = importsOf(api, source).flatMap(({ typeOnly, names }) => (typeOnly ? [] : (names ?? [])));
    return handed
      .filter((name) => !used.has(nameIn(name)))
      .map((name) => `${api}: hands on ${name}, which no other domain uses`);
  });
}

/** `a` of `a as b`. */
function nameIn(binding: string): string {
  return binding.split(' as ')[0] ?? binding;
}
