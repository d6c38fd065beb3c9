import { domainOf, gatherers, roomOf } from './rooms.ts';
import type { Import } from './source-imports.ts';

/** The arrows between rooms and between domains, each with its imports, and their order. */

/** For each name, the names that it uses, and by which imports. */
export type Arrows = ReadonlyMap<string, ReadonlyMap<string, readonly Import[]>>;

/** Of rooms that are one: threads and the door of the local stage, and the tools of commands. */
const sameAs: Readonly<Record<string, string>> = { 'local worker': 'local', 'local door': 'local', tool: 'command' };

/** Folders of functions/ that are rooms, and no domains. */
const noDomains = ['access', 'analytics', 'gateway', 'generated'];

/** Within one domain: from domain to domain lead the arrows of domains. */
export function arrowsOfRooms(imports: readonly Import[], operations: ReadonlySet<string>): Arrows {
  const nameOf = (file: string) => {
    const room = roomOf(file, operations);
    return room && (sameAs[room] ?? room);
  };
  return arrowsBetween(
    imports.filter((one) => !isBetweenDomains(one.from, one.to) && !isOfRow(one)),
    nameOf,
  );
}

/** `tables.ts` imports the types of rows, and generated lists import the types of tables. No code follows such an import. */
function isOfRow({ from, to, typeOnly }: Import): boolean {
  return typeOnly && (from.endsWith('/tables.ts') || to.endsWith('/tables.ts'));
}

export function arrowsOfDomains(imports: readonly Import[]): Arrows {
  const between = imports.filter(({ from, to }) => isBetweenDomains(from, to) && !gatherers.includes(from));
  return arrowsBetween(between, (file) => domainOf(file) ?? null);
}

/** @returns a line for each name, after the lines of all that it uses: `consents: agreements, users` */
export function inOrder(arrows: Arrows): string[] {
  const lines = new Map<string, string>();
  const visit = (name: string) => {
    if (lines.has(name)) return;
    const uses = [...(arrows.get(name)?.keys() ?? [])].toSorted();
    // Without the name itself first, a circle would never end.
    lines.set(name, '');
    for (const used of uses) visit(used);
    lines.delete(name);
    lines.set(name, `  ${name}${uses.length > 0 ? `: ${uses.join(', ')}` : ''}`);
  };
  const used = [...arrows.values()].flatMap((each) => [...each.keys()]);
  for (const name of [...new Set([...arrows.keys(), ...used])].toSorted()) visit(name);
  return [...lines.values()];
}

function isBetweenDomains(from: string, to: string): boolean {
  const [one, other] = [domainOf(from), domainOf(to)];
  if (one === undefined || other === undefined || one === other) return false;
  return !noDomains.includes(one) && !noDomains.includes(other);
}

function arrowsBetween(imports: readonly Import[], nameOf: (file: string) => string | null): Arrows {
  const arrows = new Map<string, Map<string, Import[]>>();
  for (const one of imports) {
    const [from, to] = [nameOf(one.from), nameOf(one.to)];
    if (from === null || to === null || from === to) continue;
    const uses = arrows.get(from) ?? new Map<string, Import[]>();
    arrows.set(from, uses.set(to, [...(uses.get(to) ?? []), one]));
  }
  return arrows;
}
