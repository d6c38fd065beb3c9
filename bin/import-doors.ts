import type { Arrows } from './import-arrows.ts';
import { circlesIn } from './import-circles.ts';
import { type Import, importsOf } from './source-imports.ts';

/** What goes wrong between domains and rooms: an arrow that leads up closes a circle, and a door hands on more than is used. */

/** @returns a line for each import on each circle */
export function circlesOfArrows(arrows: Arrows, what: 'rooms' | 'domains'): string[] {
  const graph = new Map([...arrows].map(([name, uses]) => [name, [...uses.keys()]]));
  return circlesIn(graph).flatMap((circle) => {
    const names = circle.split(' → ');
    return names.slice(1).flatMap((to, index) => {
      const imports = arrows.get(names[index] ?? '')?.get(to) ?? [];
      return imports.map((one) => `${one.from}: imports ${one.to}: ${circle}: ${what} that import one another`);
    });
  });
}

/** @returns a line for each value of a `rules.ts` or `exports.ts` that no other domain and no command imports */
export function unusedOfDoors(sources: ReadonlyMap<string, string>, imports: readonly Import[]): string[] {
  return [...sources].flatMap(([door, source]) => {
    if (!/^functions\/[^/]+\/(rules|exports)\.ts$/.test(door)) return [];
    const through = imports.filter(({ to }) => to === door);
    if (through.some(({ names }) => names === null)) return [];
    const used = new Set(through.flatMap(({ names }) => names ?? []).map(nameIn));
    const handed = importsOf(door, source).flatMap(({ typeOnly, names }) => (typeOnly ? [] : (names ?? [])));
    return handed
      .filter((name) => !used.has(nameIn(name)))
      .map((name) => `${door}: hands on ${name}, which no other domain uses`);
  });
}

/** `a` of `a as b`. */
function nameIn(binding: string): string {
  return binding.split(' as ')[0] ?? binding;
}
